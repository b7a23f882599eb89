// engine/base/shared_library.h: a library that is loaded when something needs it. That is for those which
// bring dozens of others: each start of the command would take twice as long with them, and a Python wheel
// has no room. THREADS: any number.
#ifndef LEAFSCORE_ENGINE_BASE_SHARED_LIBRARY_H_
#define LEAFSCORE_ENGINE_BASE_SHARED_LIBRARY_H_

#include <string>

namespace leafscore::internal {

class SharedLibrary {
 public:
  // Loads the library, which stays until the process ends. ERRORS: Error(kUsage) that names the Debian
  // package when it is not there.
  SharedLibrary(const char* file, const char* debian_package);

  // Sets `function` to that of this name. ERRORS: as above, of a version without it.
  template <class Function>
  void Find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(Symbol(name));
  }

 private:
  void* Symbol(const char* name) const;

  void* handle_;
  std::string advice_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_SHARED_LIBRARY_H_
