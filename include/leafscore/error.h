// leafscore/error.h: errors of a call (configuration, files, disk, memory), thrown as exceptions. Errors of a
// record are data (leafscore/outcome.h), never exceptions.
//
//   leafscore::ConfigLocation location;
//   try {
//     leafscore::Plan::FromConfig("evaluators:\n- {type: levenshtein, treshold: 0.8}\n", "scorers.yaml");
//   } catch (const leafscore::Error& error) {
//     std::puts(error.what());  // names the option, and suggests threshold
//     location = error.location();
//   }
//   assert(location.source == "scorers.yaml" && location.line == 2 && location.option == "treshold");
#ifndef LEAFSCORE_ERROR_H_
#define LEAFSCORE_ERROR_H_

#include <stdexcept>
#include <string>
#include <utility>

#include "leafscore/export.h"

namespace leafscore {

// The cause of an error.
enum class ErrorCode {
  kUsage,        // an option or a configuration is wrong
  kInput,        // an input cannot be opened or read, or is damaged
  kOutput,       // an output cannot be written
  kInterrupted,  // the caller asked the run to stop
  kResources,    // memory, threads or processes ran out
  kInternal,     // a defect of leafscore
};

// The place of an error in a configuration, as far as it is known.
struct ConfigLocation {
  std::string source;  // the name of the configuration, such as its path; empty: not in a configuration
  int line = 0;        // from 1; 0: unknown
  std::string option;  // empty: the error is not about an option
};

// An error of a call. what() is one sentence that names the problem and says what to do.
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
