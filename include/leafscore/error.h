// leafscore/error.h: errors about a run (configuration, files, disk), thrown as exceptions.
// Errors about a record are data (leafscore/outcome.h), never exceptions.
#ifndef LEAFSCORE_ERROR_H_
#define LEAFSCORE_ERROR_H_

#include <stdexcept>
#include <string>

namespace leafscore {

enum class ErrorCode {
  kUsage,        // wrong option, wrong configuration
  kInput,        // an input cannot be opened or read, or is damaged
  kOutput,       // an output cannot be written
  kInterrupted,  // the run was asked to stop
  kInternal,     // a defect of leafscore
};

// what() is one sentence that names the thing and says what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_ERROR_H_
