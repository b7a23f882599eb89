#include "engine/base/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "leafscore/error.h"

namespace leafscore::internal {

SharedLibrary::SharedLibrary(std::initializer_list<const char*> files, const char* debian_package)
    : advice_(fmt::format("install the Debian package {}, or on other systems the package with {}",
                          debian_package, *files.begin())) {
  std::string reason;
  for (const char* const file : files) {
    handle_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    if (reason.empty()) reason = dlerror();
  }
  throw Error(ErrorCode::kUsage, fmt::format("{}; {}", reason, advice_));
}

void* SharedLibrary::Symbol(const char* name) const {
  void* const symbol = dlsym(handle_, name);
  if (symbol == nullptr) throw Error(ErrorCode::kUsage, fmt::format("{}; {}", dlerror(), advice_));
  return symbol;
}

}  // namespace leafscore::internal
