// cli/comparison_result.h: compares runs and reports the result: the verdict, files in several formats, the
// gates and the exit code.
#ifndef LEAFSCORE_CLI_COMPARISON_RESULT_H_
#define LEAFSCORE_CLI_COMPARISON_RESULT_H_

#include <memory>
#include <string>
#include <vector>

#include "engine/io/output_file.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

struct ComparisonArguments {
  ComparisonOptions options;
  ComparisonGates gates;
  ComparisonFormat format = ComparisonFormat::kTable;  // of standard output
  std::vector<std::string> outputs;                    // files; their suffixes choose their formats
  bool github = false;
  std::string looks;  // the file that keeps the looks; empty: none
};

// Makes and reports the result of a comparison. The outputs are opened before the comparison begins, so that
// a long comparison does not end with a file that cannot be written.
class ComparisonResult {
 public:
  // Opens the outputs. ERRORS: Error(kUsage) for an output without a known suffix, for an output that would
  // replace another file of the run, and for --github outside of GitHub Actions; Error(kOutput). `arguments`
  // must outlive this object.
  explicit ComparisonResult(const ComparisonArguments& arguments);

  // Compares, prints the result and writes it to all outputs. With `errors_only`, only the gates on errors
  // are checked.
  void Tell(bool errors_only = false);

  // REQUIRES: Tell was called.
  bool gates_hold() const { return gates_hold_; }
  ComparisonVerdict verdict() const { return verdict_; }
  int exit_code() const;

 private:
  struct Output {
    ComparisonFormat format;
    std::unique_ptr<OutputFile> file;
  };

  const ComparisonArguments& arguments_;
  std::vector<Output> outputs_;
  bool gates_hold_ = false;
  ComparisonVerdict verdict_ = ComparisonVerdict::kInconclusive;
};

// Returns the files that a comparison reads.
std::vector<std::string> InputsOf(const ComparisonOptions& options);

// Returns the files that a comparison writes. With --github, they include standard output and the step's
// summary. ERRORS: Error(kUsage) for --github outside of GitHub Actions.
std::vector<std::string> OutputsOf(const ComparisonArguments& arguments);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMPARISON_RESULT_H_
