#include "engine/base/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "leafscore/error.h"

namespace leafscore::internal {

SharedLibrary::SharedLibrary(const char* file, const char* debian_package)
    : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)),
      advice_(fmt::format("install the Debian package {}, or on other systems the package with {}",
                          debian_package, file)) {
  if (handle_ == nullptr) throw Error(ErrorCode::kUsage, fmt::format("{}; {}", dlerror(), advice_));
}

void* SharedLibrary::Symbol(const char* name) const {
  void* const symbol = dlsym(handle_, name);
  if (symbol == nullptr) throw Error(ErrorCode::kUsage, fmt::format("{}; {}", dlerror(), advice_));
  return symbol;
}

}  // namespace leafscore::internal
