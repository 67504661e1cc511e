#!/usr/bin/env bash
# Installs the wheel for aarch64 in a root of Debian for that machine and compiles kernels there, run by QEMU.
#
#   test/aarch64_root.sh WHEEL [ROOT]
#
# ROOT is made if it is not there, and kept.  Needs Linux from 6.7 on, root, debootstrap, and qemu-user-static.
set -euo pipefail
wheel=$(realpath "$1")
root=$(realpath -m "${2:-build/aarch64/root}")
examples=$(realpath "$(dirname "$0")/../examples")
if [ ! -e "$root/usr/bin/python3" ]; then
  debootstrap --arch=arm64 --foreign --variant=minbase --include=python3,python3-venv,ca-certificates,libstdc++6 bookworm "$root" \
    http://deb.debian.org/debian > /dev/null
  for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
fi
# Packages that the wheel needs are fetched by this machine's pip, for that one's Python.
mkdir -p "$root"/{wheels,examples}
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.argv[1].removeprefix("python"))' "$(basename "$(readlink "$root/usr/bin/python3")")")
"${PYTHON:-python3}" -m pip download --quiet --only-binary :all: --python-version "$python" --dest "$root/wheels" \
  --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_24_aarch64 --platform manylinux2014_aarch64 "$wheel"
cp "$wheel" "$root/wheels/"
export root examples
# A user namespace has a table of its own for programs of other machines, so that of the system stays as it is.
unshare --user --map-root-user --mount bash -euo pipefail -c '
  mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  zeros="\x00\x00\x00\x00\x00\x00\x00\x00"
  ones="\xff\xff\xff\xff\xff\xff\xff"
  magic="\x7fELF\x02\x01\x01\x00$zeros\x02\x00\xb7\x00" mask="$ones\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
  printf %s ":aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" > /proc/sys/fs/binfmt_misc/register
  mount --rbind /proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --bind "$examples" "$root/examples"
  exec chroot "$root" /usr/bin/env -i HOME=/tmp PATH=/tmp/env/bin:/usr/bin:/bin LANG=C.UTF-8 /bin/sh -ec "
    cd /tmp
    python3 -m venv env
    pip install --quiet --no-compile --no-index --find-links /wheels ttkit
    ttkit doctor
    tt-opt /examples/kernels/matmul_loop.ttir --ttkit-ttgir > matmul.ttgir
    tt-compile /examples/kernels/matmul_loop.ttir --target sm_90a -o matmul.cubin
    TTKIT_DEVICE=interpret:sm_90 python /examples/vector_add.py
  "
'
