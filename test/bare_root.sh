#!/usr/bin/env bash
# Installs wheels in a root that has Python, the C library and its friends, and nothing else: no compiler, no headers, no tools.
#
#   test/bare_root.sh FOLDER_OF_WHEELS [PYTHON]
#
# Needs Linux and root.  Packages that the wheels need come from where pip finds them.
set -euo pipefail
wheels=$(realpath "$1")
python=$(realpath "${2:-$(python3 -c 'import sys; print(sys.base_prefix)')/bin/python3}")
prefix=$(dirname "$(dirname "$python")")
examples=$(realpath "$(dirname "$0")/../examples")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
export root wheels python prefix examples
unshare --mount --propagation private bash -euo pipefail -c '
  mount -t tmpfs tmpfs "$root"
  mkdir -p "$root"/{lib64,usr/lib,usr/bin,tmp,etc,proc,dev,wheels,examples} "$root/$prefix"
  ln -s usr/lib "$root/lib"
  ln -s usr/bin "$root/bin"
  libraries=$(dirname "$(realpath /lib64/ld-linux-x86-64.so.2)")
  mkdir -p "$root/$libraries"
  ln -sfn "$(realpath --relative-to=/ /lib64/ld-linux-x86-64.so.2 | sed s,^,/,)" "$root/lib64/ld-linux-x86-64.so.2"
  # Shared libraries alone: what compilers use lies in other folders, or ends in .a and .o.
  find "$libraries" -maxdepth 1 -name "*.so.*" -exec cp -d {} "$root/$libraries/" \;
  cp -r /etc/ssl /etc/resolv.conf /etc/hosts /etc/nsswitch.conf "$root/etc/" 2> /dev/null || true
  cp /bin/sh /usr/bin/env "$root/usr/bin/"
  mount --bind "$prefix" "$root$prefix"
  mount -o remount,ro,bind "$root$prefix"
  mount --bind "$wheels" "$root/wheels"
  mount --bind "$examples" "$root/examples"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec chroot "$root" /usr/bin/env -i HOME=/tmp PATH=/tmp/env/bin:/usr/bin LANG=C.UTF-8 \
    $(env | grep -iE "^(pip_|https?_proxy|no_proxy|ssl_cert|requests_ca)" | tr "\n" " ") /bin/sh -ec "
    cd /tmp
    $python -m venv env
    for name in cc gcc g++ clang ld make cmake; do
      if command -v \$name; then echo \"\$name is there\"; exit 1; fi
    done
    pip install --quiet --only-binary :all: /wheels/ttkit-*.whl
    ttkit doctor
    python /examples/demo.py > demo.txt
    python -c \"print(open(\\\"demo.txt\\\").read().splitlines()[-1])\"
  "
'
