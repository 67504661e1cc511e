#include "driver.h"

#include <dlfcn.h>

namespace ttkit {

Driver driver{};

template <typename Function> static bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::string Driver::load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    return text ? text : path;
  }
  Driver found{};
  find(library, "cuTensorMapEncodeTiled", found.encodeTensorMap);
  if (!find(library, "cuCtxGetCurrent", found.getCurrentContext) ||
      !find(library, "cuPointerGetAttribute", found.getPointerAttribute) ||
      !find(library, "cuLaunchKernelEx", found.launch))
    return std::string(path) + " is older than CUDA 11.8";
  *this = found;
  return "";
}

} // namespace ttkit
