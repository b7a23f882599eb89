// The example judges through the command, and a run with judges that is interrupted.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/subprocess.h"
#include "engine/process/child_process.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

const std::string kExamples = LEAFSCORE_EXAMPLES "/code_judges/";

TEST(CodeJudgeCommand, TheExamplesScoreTheirAnswers) {
  if (FindProgram("python3", "/").empty()) GTEST_SKIP() << "the examples need python3";
  // Vendor names: 1 edit in 13 is similar, 13 are not. The boxes: equal; equal and half; 4 of 28
  // by two.
  const std::vector<std::string> wanted = {
      R"({"id": "same", "scorer": "vendor_fuzzy", "outcome": "scored", "score": 1, "details": {"hits": ["invoice.vendor_name: 1.000, wanted 0.85"], "misses": [], "reasoning": "1 of 1 fields are similar enough"}})",
      R"({"id": "same", "scorer": "boxes", "outcome": "scored", "score": 1, "passed": true, "details": {"hits": ["box 0: IoU 1.000"], "misses": [], "reasoning": "1 boxes for 1 expected ones"}})",
      R"({"id": "near", "scorer": "vendor_fuzzy", "outcome": "scored", "score": 1, "details": {"hits": ["invoice.vendor_name: 0.923, wanted 0.85"], "misses": [], "reasoning": "1 of 1 fields are similar enough"}})",
      R"({"id": "near", "scorer": "boxes", "outcome": "scored", "score": 0.75, "passed": true, "details": {"hits": ["box 0: IoU 1.000","box 1: IoU 0.500"], "misses": [], "reasoning": "2 boxes for 2 expected ones"}})",
      R"({"id": "far", "scorer": "vendor_fuzzy", "outcome": "scored", "score": 0, "details": {"hits": [], "misses": ["invoice.vendor_name: 0.000, wanted 0.85"], "reasoning": "0 of 1 fields are similar enough"}})",
      R"({"id": "far", "scorer": "boxes", "outcome": "scored", "score": 0.07142857142857142, "passed": false, "details": {"hits": [], "misses": ["box 0: IoU 0.143"], "reasoning": "2 boxes for 1 expected ones"}})",
      R"({"id": "none", "scorer": "vendor_fuzzy", "outcome": "scored", "score": 0, "details": {"hits": [], "misses": ["invoice.vendor_name: missing in the answer"], "reasoning": "0 of 1 fields are similar enough"}})",
      R"({"id": "none", "scorer": "boxes", "outcome": "scored", "score": 0, "passed": false, "details": {"misses": ["the answer holds no boxes"]}})",
  };
  // The other way round each judge works as well: the process is no part of a result.
  const TempDir folder;
  std::string swapped = ReadFile(kExamples + "judges.yaml");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = swapped.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    swapped.replace(at, from.size(), to);
  };
  replace("    process: persistent ", "    process: per_record ");
  replace("    algorithm", "    process: persistent\n    algorithm");
  replace("./multi_field_fuzzy.py", kExamples + "multi_field_fuzzy.py");
  replace("./iou.py", kExamples + "iou.py");
  WriteFile(folder / "swapped.yaml", swapped);
  for (const std::string& config : {kExamples + "judges.yaml", folder / "swapped.yaml"}) {
    const SubprocessResult run = RunCommand({"score", kExamples + "answers.jsonl", "-q", "--config", config});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(SplitLines(run.out), wanted);
  }
}

TEST(CodeJudgeCommand, SaysThatAJudgeWasStopped) {
  const TempDir folder;
  WriteFile(folder / "judge.sh", "exit 3\n");
  WriteFile(folder / "judges.yaml",
            "evaluators:\n- {name: j, type: code_judge, script: [sh, judge.sh], max_failures: 2}\n");
  const std::string record = R"({"expected": 1, "actual": 1})";
  const SubprocessResult run =
      RunCommand({"score", "-", "-q", "--threads", "1", "--config", folder / "judges.yaml"},
                 record + "\n" + record + "\n" + record + "\n");
  EXPECT_NE(run.err.find(
                "warning: the judge of \"j\" failed too often in a row and was stopped; 1 records were not "
                "judged"),
            std::string::npos)
      << run.err;
  EXPECT_NE(run.out.find("\"judge_stopped\""), std::string::npos) << run.out;
}

// As it is written in AgentV's proposal, with the program beside the configuration.
TEST(CodeJudgeCommand, TheProposalsConfigurationWorksAsItIsWritten) {
  if (FindProgram("python3", "/").empty()) GTEST_SKIP() << "the judge needs python3";
  const TempDir folder;
  WriteFile(folder / "multi_field_fuzzy.py", ReadFile(kExamples + "multi_field_fuzzy.py"));
  WriteFile(folder / "eval.yaml", R"(evaluators:
  - name: invoice_field_check
    type: field_accuracy
    fields:
      - {path: invoice.total_amount, match: numeric_tolerance, tolerance: 0.01, required: true, weight: 1.0}
      - {path: invoice.invoice_date, match: date, formats: ["DD-MMM-YYYY", "YYYY-MM-DD", "MM/DD/YYYY"], required: true, weight: 0.5}
    aggregation: weighted_average
  - name: vendor_fuzzy
    type: code_judge
    script: ./multi_field_fuzzy.py
    fields: [{path: invoice.vendor_name, threshold: 0.85}]
    algorithm: levenshtein
)");
  // The amount is a cent off, then a text, then missing, as is the vendor; the second date is another day.
  const std::string expected =
      R"("expected": {"invoice": {"total_amount": 1889, "invoice_date": "2025-01-15", "vendor_name": "Acme Shipping"}}, "actual": )";
  const std::string input =
      "{\"id\": \"near\", " + expected +
      R"({"invoice": {"total_amount": 1889.01, "invoice_date": "15-JAN-2025", "vendor_name": "Acme Shiping"}}})"
      "\n{\"id\": \"late\", " +
      expected +
      R"({"invoice": {"total_amount": "1889", "invoice_date": "01/16/2025", "vendor_name": "Globex"}}})"
      "\n{\"id\": \"less\", " +
      expected +
      R"("So: {\"invoice\": {\"invoice_date\": \"01/15/2025\"}}"})"
      "\n";
  const SubprocessResult run = RunCommand({"score", "-", "-q", "--config", folder / "eval.yaml"}, input);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::vector<std::string> wanted = {
      R"({"id": "near", "scorer": "invoice_field_check", "outcome": "scored", "score": 1, "passed": true, "details": {"hit_count": 2, "miss_count": 0, "true_positives": 2, "false_positives": 0, "false_negatives": 0, "true_negatives": 0, "hits": ["invoice.total_amount", "invoice.invoice_date"], "misses": [], "miss_reasons": []}})",
      R"({"id": "near", "scorer": "vendor_fuzzy", "outcome": "scored", "score": 1, "details": {"hits": ["invoice.vendor_name: 0.923, wanted 0.85"], "misses": [], "reasoning": "1 of 1 fields are similar enough"}})",
      R"({"id": "late", "scorer": "invoice_field_check", "outcome": "scored", "score": 0.6666666666666666, "passed": false, "details": {"hit_count": 1, "miss_count": 1, "true_positives": 1, "false_positives": 1, "false_negatives": 1, "true_negatives": 0, "hits": ["invoice.total_amount"], "misses": ["invoice.invoice_date"], "miss_reasons": ["other_day"]}})",
      R"({"id": "late", "scorer": "vendor_fuzzy", "outcome": "scored", "score": 0, "details": {"hits": [], "misses": ["invoice.vendor_name: 0.000, wanted 0.85"], "reasoning": "0 of 1 fields are similar enough"}})",
      R"({"id": "less", "scorer": "invoice_field_check", "outcome": "scored", "score": 0.3333333333333333, "passed": false, "details": {"hit_count": 1, "miss_count": 1, "true_positives": 1, "false_positives": 0, "false_negatives": 1, "true_negatives": 0, "hits": ["invoice.invoice_date"], "misses": ["invoice.total_amount"], "miss_reasons": ["missing"]}})",
      R"({"id": "less", "scorer": "vendor_fuzzy", "outcome": "scored", "score": 0, "details": {"hits": [], "misses": ["invoice.vendor_name: missing in the answer"], "reasoning": "0 of 1 fields are similar enough"}})",
  };
  EXPECT_EQ(SplitLines(run.out), wanted);
}

TEST(CodeJudgeCommand, AnInterruptEndsTheJudgesToo) {
  const TempDir folder;
  WriteFile(folder / "judges.yaml",
            "evaluators:\n- {type: code_judge, script: [sh, -c, 'echo $$ >pid; exec sleep 1000'], "
            "timeout_ms: 1000000}\n");
  Subprocess command({"score", "-", "-q", "--config", folder / "judges.yaml"});
  command.WriteInput("{\"expected\": 1, \"actual\": 1}\n");
  command.CloseInput();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!ReadFile(folder / "pid").ends_with('\n')) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  command.Signal(SIGINT);
  EXPECT_EQ(command.Wait().exit_code, 130);
  EXPECT_NE(kill(std::stoi(ReadFile(folder / "pid")), 0), 0) << "the judge is still there";
}

}  // namespace
}  // namespace leafscore::internal
