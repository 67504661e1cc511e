// RUN: tt-opt %s --triton-nvidia-optimize-descriptor-encoding | FileCheck %s

