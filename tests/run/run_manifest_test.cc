// What a run says about its output, and when it says it.
#include "engine/run/run_manifest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "engine/scores/verified_scores.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

using std::filesystem::exists;

class RunManifestTest : public RunTest {
 protected:
  Manifest Of(const std::string& output) {
    return ReadManifest(ReadFile(ManifestPath(output)), ManifestPath(output));
  }

  // Scores what a pipe brings; once the outputs are open, makes a folder, with something in it, which is in
  // the way of a file's final name.
  RunResult RunWithAFolderInTheWay(const std::string& name) {
    FileOptions options;
    options.inputs = {folder_ / "pipe"};
    options.output = folder_ / "out.jsonl";
    EXPECT_EQ(mkfifo(options.inputs[0].c_str(), 0600), 0);
    std::thread writer([&] {
      const int pipe = open(options.inputs[0].c_str(), O_WRONLY);
      std::filesystem::create_directories(folder_ / name + "/full");
      EXPECT_EQ(write(pipe, "{\"expected\": 1, \"actual\": 1}\n", 29), 29);
      close(pipe);
    });
    RunResult result = RunFiles(Plan({"exact_match"}).scorers(), options);
    writer.join();
    return result;
  }

  const std::string out_ = folder_ / "out.jsonl";
};

TEST_F(RunManifestTest, SaysAllOfARun) {
  const std::string input =
      "{\"id\": \"a\", \"expected\": \"x\", \"actual\": \"x\", \"g\": 1}\n"
      "{\"id\": 7, \"expected\": \"x\", \"actual\": \"x\"}\n"
      "{\"id\": null, \"expected\": \"x\", \"actual\": \"x\"}\n"
      "{\"expected\": \"y\"}\n"
      "{\"id\": \"b\\u0063\", broken\n"
      "broken\n";
  FileOptions options;
  options.group_by = {"g"};
  options.details = DetailLevel::kNone;
  const FinishedRun run = RunText(Plan::FromConfig("scorers:\n"
                                                   "  - {type: levenshtein, threshold: 0.50}\n"
                                                   "  - {name: e, type: exact_match}\n"),
                                  input, options);
  const std::string in = folder_ / "in.jsonl";
  MultisetHash ids;
  for (const char* id : {"bc", "7", "a"}) ids.Add(id);
  MultisetHash pairs;  // of a record without an id, its number stands in for it
  for (const char* id : {"4", "a", "7", "3"})
    pairs.AddPair(MultisetHash::HashOf(id), *id == '4' ? "\"y\"" : "\"x\"");
  Manifest expected;
  expected.leafscore = Version();
  expected.records_asked = 6;
  expected.records_read = 6;
  expected.scorers = {{"levenshtein",
                       "levenshtein",
                       "seed",
                       {{"case_sensitive", "false"},
                        {"default_expected", "null"},
                        {"target_output_key", "\"*\""},
                        {"threshold", "0.5"}},
                       {}},
                      {"e",
                       "exact_match",
                       "seed",
                       {{"any_of_key", "\"\""},
                        {"case_sensitive", "false"},
                        {"default_expected", "null"},
                        {"negated", "false"},
                        {"target_output_key", "\"*\""},
                        {"text_of", "\"json\""}},
                       {}}};
  expected.inputs = {{in, input.size(), BlockChecksumOf(input)}};
  expected.ids = 3;
  expected.without_id = 3;
  expected.ids_checksum = ids.Text();
  expected.expected = 4;
  expected.expected_checksum = pairs.Text();
  expected.options = {{"details", "\"none\""},
                      {"group_by", "[\"g\"]"},
                      {"repeats", "\"last\""},
                      {"id_field", "\"id\""},
                      {"expected_field", "\"expected\""},
                      {"actual_field", "\"actual\""},
                      {"join_field", "\"id\""},
                      {"gold_id_field", "\"\""},
                      {"gold_expected_field", "\"\""},
                      {"input_format", "\"auto\""},
                      {"parse_texts", "\"auto\""},
                      {"strict_json", "false"},
                      {"max_line_bytes", "67108864"},
                      {"max_depth", "1024"},
                      {"max_pair_cells", "10000000000"},
                      {"max_details_bytes", "16777216"},
                      {"memory_bytes", "0"}};
  expected.format = "jsonl";
  expected.lines = 12;
  expected.bytes = run.output.size();
  expected.checksum = ChecksumOf(run.output);
  EXPECT_EQ(run.lines.size(), 12u);
  EXPECT_EQ(ReadFile(ManifestPath(out_)), ManifestJson(expected));
}

// Of compressed files the bytes on disk, of a compressed output the text.
TEST_F(RunManifestTest, SaysWhatWasCompressed) {
  const std::string input = "{\"id\": 1, \"expected\": \"x\", \"actual\": \"x\"}\n";
  FileOptions options;
  options.inputs = {Input("in.gz", Gzip(input)), Input("in.jsonl", input)};
  for (const std::string name : {"out.csv.gz", "out.csv.zst", "out.csv"}) {
    options.output = folder_ / name;
    Run(Plan({"exact_match"}), options);
    const Manifest manifest = Of(options.output);
    const std::string text = ReadAll(options.output).bytes;
    EXPECT_EQ(manifest.format, "csv");
    EXPECT_EQ(manifest.lines, 2u);
    EXPECT_EQ(manifest.bytes, text.size());
    EXPECT_EQ(manifest.checksum, ChecksumOf(text));
    EXPECT_EQ(manifest.inputs[0].bytes, Gzip(input).size());
    EXPECT_EQ(manifest.inputs[0].checksum, BlockChecksumOf(Gzip(input)));
    EXPECT_EQ(manifest.inputs[1].checksum, BlockChecksumOf(input));
  }
}

TEST_F(RunManifestTest, WithGoldItsIdsAreAskedOfEverySource) {
  const std::string gold =
      "{\"id\": \"a\", \"expected\": 1}\n{\"id\": 2, \"expected\": 2}\n{\"id\": 2, \"expected\": 3}\n";
  FileOptions options;
  options.gold = Input("gold.gz", Gzip(gold));
  options.inputs = {Input("m.jsonl", "{\"id\": \"a\", \"actual\": 1}\n{\"id\": \"b\", \"actual\": 1}\n"),
                    Input("n.jsonl", "")};
  Run(Plan({"exact_match"}), options);
  const Manifest manifest = Of(out_);
  MultisetHash ids;
  ids.Add("a");
  ids.Add("2");
  EXPECT_EQ(manifest.records_asked, 4u);
  EXPECT_EQ(manifest.records_read, 2u);
  EXPECT_EQ(manifest.ids, 2u);
  EXPECT_EQ(manifest.without_id, 0u);
  EXPECT_EQ(manifest.ids_checksum, ids.Text());
  MultisetHash pairs;
  pairs.AddPair(MultisetHash::HashOf("2"), "3");
  pairs.AddPair(MultisetHash::HashOf("a"), "1");
  EXPECT_EQ(manifest.expected, 2u);
  EXPECT_EQ(manifest.expected_checksum, pairs.Text());
  EXPECT_EQ(manifest.lines, 5u);  // "a" and "b" of m, "2" of m, both of n
  EXPECT_EQ(manifest.gold->name, options.gold);
  EXPECT_EQ(manifest.gold->checksum, BlockChecksumOf(Gzip(gold)));
  ReadVerifiedScores(out_, false, [](const RecordBatch&) {});
}

// Options that mean the same are the same, whether they were given or not, and however they were written.
TEST_F(RunManifestTest, OptionsAreWhatWasReadOfThem) {
  const auto options_of = [&](const std::string& scorer) {
    RunText(Plan::FromConfig("scorers: [{name: s, " + scorer + "}]"),
            R"({"expected": {"a": "x", "b": 1}, "actual": {"a": "x", "b": 1}})"
            "\n");
    const Manifest manifest = Of(out_);
    std::string text;
    for (const Manifest::Option& option : manifest.scorers.at(0).options) {
      text += option.name + '=' + option.json + ' ';
    }
    return text;
  };
  const auto expect_same = [&](const std::string& type, const std::string& defaults) {
    EXPECT_EQ(options_of("type: " + type + ", " + defaults), options_of("type: " + type)) << defaults;
  };
  expect_same("levenshtein", "threshold: 0.70, case_sensitive: False, target_output_key: '*'");
  expect_same("contains", "text_of: json, negated: false");
  expect_same("static_json", "similarity_threshold: 0.0, string_similarity: jaccard");
  expect_same("strict_json", "similar_threshold: 5e-1, parse_texts: auto");
  expect_same("json_similarity", "array_match: ordered, number_tolerance: 0, ignore_paths: []");
  EXPECT_EQ(options_of("type: json_similarity, weights: {a: 2.0}, ignore_paths: b"),
            options_of("type: json_similarity, weights: {a: 2}, ignore_paths: [b]"));
  EXPECT_EQ(
      options_of("type: field_accuracy, fields: [{path: a}]"),
      options_of("type: field_accuracy, threshold: 0.8, fields: [{path: a, match: exact, weight: 1.0}]"));
  // A list of one path builds an object, and a text does not.
  EXPECT_NE(options_of("type: levenshtein, target_output_key: a"),
            options_of("type: levenshtein, target_output_key: [a]"));
  EXPECT_NE(options_of("type: contains, search_text: 'null'"), options_of("type: contains"));
}

TEST_F(RunManifestTest, NamesTheFilesOfAJudge) {
  const std::string script = "#!/bin/sh\necho '{\"score\": 1}'\n";
  Input("judge.sh", script);
  Input("rules.txt", "strict");
  const Plan plan = Plan::FromConfig("scorers: [{type: code_judge, script: [sh, judge.sh, rules.txt, none]}]",
                                     folder_ / "judges.yaml");
  RunText(plan, "{\"expected\": 1, \"actual\": 1}\n");
  const std::vector<Manifest::File> files = Of(out_).scorers.at(0).files;
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, folder_ / "judge.sh");
  EXPECT_EQ(files[0].bytes, script.size());
  EXPECT_EQ(files[0].checksum, ChecksumOf(script));
  EXPECT_EQ(files[1].checksum, ChecksumOf("strict"));
}

TEST_F(RunManifestTest, DoesNotDependOnThreadsOrBatches) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", JoinLines(MixedLines(60, 400)))};
  options.max_line_bytes = 400;
  Run(Plan({"levenshtein"}), options);
  const std::string manifest = ReadFile(ManifestPath(out_));
  for (options.threads = 1; options.threads <= 4; ++options.threads) {
    options.batch_bytes = 100 * options.threads;
    Run(Plan({"levenshtein"}), options);
    EXPECT_EQ(ReadFile(ManifestPath(out_)), manifest);
  }
}

TEST_F(RunManifestTest, TheTrailerSaysTheSame) {
  FileOptions options;
  options.trailer = true;
  const FinishedRun run = RunText(Plan({"exact_match"}), "{\"expected\": 1, \"actual\": 1}\n", options);
  const Manifest manifest = Of(out_);
  ASSERT_EQ(run.lines.size(), 2u);
  EXPECT_EQ(run.lines[1] + '\n', ManifestTrailer(manifest));
  EXPECT_EQ(manifest.lines, 1u);
  EXPECT_EQ(manifest.bytes, run.lines[0].size() + 1);
  EXPECT_EQ(manifest.checksum, ChecksumOf(run.lines[0] + '\n'));
}

TEST_F(RunManifestTest, CsvHasNoTrailer) {
  FileOptions options;
  options.output = folder_ / "out.csv.gz";
  options.trailer = true;
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { RunText(Plan({"exact_match"}), "{}\n", options); }),
            "--trailer adds a line of JSON, so the output cannot be CSV: name another output");
}

TEST_F(RunManifestTest, PipesAndDevicesHaveNone) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", "{\"expected\": 1, \"actual\": 1}\n")};
  options.output = "/dev/null";
  EXPECT_FALSE(RunFiles(Plan({"exact_match"}).scorers(), options).error);
  EXPECT_FALSE(exists("/dev/null.manifest.json"));
  EXPECT_FALSE(exists("/dev/null.manifest.json.partial"));
}

TEST_F(RunManifestTest, ARunThatEndsEarlyLeavesNone) {
  const std::atomic<bool> stop{true};
  FileOptions options;
  options.stop = &stop;
  options.trailer = true;
  const FinishedRun run = RunText(Plan({"exact_match"}), "{}\n", options);
  EXPECT_TRUE(run.result.error);
  EXPECT_EQ(run.output, "");
  EXPECT_FALSE(exists(out_ + ".partial"));
  EXPECT_FALSE(exists(ManifestPath(out_)));
  EXPECT_FALSE(exists(ManifestPath(out_) + ".partial"));
}

TEST_F(RunManifestTest, ARunThatEndsEarlyLeavesTheEarlierOutputVerified) {
  RunText(Plan({"exact_match"}), "{\"expected\": 1, \"actual\": 1}\n");
  const std::atomic<bool> stop{true};
  FileOptions options;
  options.stop = &stop;
  EXPECT_TRUE(RunText(Plan({"exact_match"}), "{}\n", options).result.error);
  EXPECT_TRUE(ReadVerifiedScores(out_, false, [](const RecordBatch&) {}));
}

TEST_F(RunManifestTest, TheOutputNeverAppearsWithoutIt) {
  const RunResult result = RunWithAFolderInTheWay("out.jsonl.manifest.json");
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code(), ErrorCode::kOutput);
  EXPECT_FALSE(exists(out_));
}

// The one moment in which the two do not belong together: the manifest has its name, and the output not yet.
TEST_F(RunManifestTest, ACrashBetweenTheTwoNamesLeavesAnOutputThatIsRefused) {
  RunText(Plan({"exact_match"}), "{\"expected\": 1, \"actual\": 2}\n");
  const std::string old_output = ReadFile(out_);
  std::filesystem::rename(out_, folder_ / "old");
  const RunResult result = RunWithAFolderInTheWay("out.jsonl");
  ASSERT_TRUE(result.error);
  EXPECT_EQ(Of(out_).inputs[0].name, folder_ / "pipe");
  std::filesystem::remove_all(out_);
  WriteFile(out_, old_output);
  const std::string refusal =
      ErrorOf(ErrorCode::kInput, [&] { ReadVerifiedScores(out_, false, [](const RecordBatch&) {}); });
  EXPECT_NE(refusal.find(", and its manifest says "), std::string::npos) << refusal;
}

TEST_F(RunManifestTest, ReplacesNoFileOfTheRun) {
  FileOptions options;
  options.inputs = {Input("out.jsonl.manifest.json", "{}\n")};
  options.output = out_;
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { Run(Plan({"exact_match"}), options); })
                .find("out.jsonl.manifest.json would change "),
            std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
