// engine/base/shared_library.h: a library that is loaded when it is first needed. This is for libraries that
// load dozens of others: they would double the command's start-up time, and a Python wheel has no room for
// them. THREADS: any number.
#ifndef LEAFSCORE_ENGINE_BASE_SHARED_LIBRARY_H_
#define LEAFSCORE_ENGINE_BASE_SHARED_LIBRARY_H_

#include <initializer_list>
#include <string>

namespace leafscore::internal {

class SharedLibrary {
 public:
  // Loads the first of these files that is there; name the newest version first. The library stays loaded
  // until the process ends.
  // ERRORS: if all are missing, Error(kUsage), which names the first file and its Debian package.
  SharedLibrary(std::initializer_list<const char*> files, const char* debian_package);

  // Sets `function` to the library's function of this name.
  // ERRORS: Error(kUsage) if this version of the library does not have it.
  template <class Function>
  void Find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(Symbol(name));
  }

 private:
  void* Symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string advice_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_SHARED_LIBRARY_H_
