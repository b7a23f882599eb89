// leafscore/error.h: errors about a run (configuration, files, disk), thrown as exceptions.
// Errors about a record are data (leafscore/outcome.h), never exceptions.
#ifndef LEAFSCORE_ERROR_H_
#define LEAFSCORE_ERROR_H_

#include <stdexcept>
#include <string>
#include <utility>

#include "leafscore/export.h"

namespace leafscore {

// What an error is about, and so whose fault it is.
enum class ErrorCode {
  kUsage,        // wrong option, wrong configuration
  kInput,        // an input cannot be opened or read, or is damaged
  kOutput,       // an output cannot be written
  kInterrupted,  // the run was asked to stop
  kResources,    // memory, threads or processes ran out
  kInternal,     // a defect of leafscore
};

// Where in a configuration an error lies, as far as known.
struct ConfigLocation {
  std::string source;  // the configuration's name, for example a path; empty: not in a configuration
  int line = 0;        // from 1; 0: not known
  std::string option;  // the option's name; empty: not about an option
};

// what() is one sentence that names what is wrong and says what to do.
class LEAFSCORE_EXPORT Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Error(ErrorCode code, const std::string& message, ConfigLocation location)
      : std::runtime_error(message), code_(code), location_(std::move(location)) {}

  ErrorCode code() const { return code_; }
  const ConfigLocation& location() const { return location_; }

 private:
  ErrorCode code_;
  ConfigLocation location_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_ERROR_H_
