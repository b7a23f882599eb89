// cli/comparison_result.h: compares runs and tells what came of it: the verdict, files in several formats,
// the gates and the exit code.
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
  std::vector<std::string> outputs;                    // files, whose suffixes tell their formats
  bool github = false;
  std::string looks;  // the file that keeps them; empty: none
};

// The result of a comparison, from before it begins, so that a long one does not end with a file that cannot
// be written.
class ComparisonResult {
 public:
  // Opens the outputs. ERRORS: Error(kUsage) for one without a known suffix, one that replaces another file
  // of the run, and for --github outside of GitHub Actions; Error(kOutput). `arguments` must outlive it.
  explicit ComparisonResult(const ComparisonArguments& arguments);

  // Compares, prints the result and writes it to all outputs. With `errors_only`, of the gates only those on
  // errors are held.
  void Tell(bool errors_only = false);

  // REQUIRES: that was called.
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

// Returns the files that it writes, and with --github standard output and the step's summary. ERRORS:
// Error(kUsage) for --github outside of GitHub Actions.
std::vector<std::string> OutputsOf(const ComparisonArguments& arguments);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMPARISON_RESULT_H_
