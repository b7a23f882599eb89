// `leafscore init`: what it finds in files of each layout. The commands that it prints are run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class InitCommandTest : public ::testing::Test {
 protected:
  void File(const std::string& name, const std::string& text) const { WriteFile(folder_ / name, text); }

  // Runs lines of a shell in the folder, where leafscore is the command under test.
  SubprocessResult Shell(const std::string& lines) const {
    const std::filesystem::path command(LEAFSCORE_COMMAND);
    const std::string script =
        fmt::format("cd '{}' && PATH='{}':$PATH && {}", folder_ / ".", command.parent_path().string(), lines);
    return RunCommand({"-c", script}, {}, {.command = "/bin/sh"});
  }

  // Runs init, and then the commands that it prints. RETURNS: these commands.
  std::string InitAndRun(const std::string& files) {
    const SubprocessResult init = Shell("leafscore init " + files);
    EXPECT_EQ(init.exit_code, 0) << init.err;
    shown_ = init.out;
    config_ = ReadFile(folder_ / "scorers.yaml");
    const std::size_t begin = init.out.find("\nRun:\n");
    EXPECT_NE(begin, std::string::npos) << init.out;
    std::string commands = begin == std::string::npos ? "" : init.out.substr(begin + 6);
    const SubprocessResult run = Shell("set -e\n" + commands);
    EXPECT_EQ(run.exit_code, 0) << commands << run.err;
    return commands;
  }

  std::string Scores() const { return ReadFile(folder_ / "scores.jsonl"); }

  const TempDir folder_;
  std::string shown_;   // what init printed
  std::string config_;  // what it wrote
};

TEST_F(InitCommandTest, JsonAnswers) {
  File("a.jsonl",
       "{\"id\": 1, \"expected\": {\"a\": 1}, \"actual\": {\"a\": 1}}\n"
       "{\"id\": 2, \"expected\": {\"a\": 2}, \"actual\": \"{\\\"a\\\": 3}\"}\n");
  EXPECT_EQ(InitAndRun("a.jsonl"), "  leafscore score a.jsonl --config scorers.yaml -o scores.jsonl\n");
  EXPECT_THAT(config_, HasSubstr("scorers:\n  - type: json_similarity\n"));
  EXPECT_THAT(shown_, HasSubstr("a.jsonl: 2 records\n"));
  EXPECT_THAT(shown_, HasSubstr("  \"expected\"               objects and arrays: the expected value\n"));
  EXPECT_THAT(Scores(), HasSubstr("\"score\": 1,"));
}

TEST_F(InitCommandTest, LabelsAndAGroup) {
  std::string lines;
  for (int i = 0; i < 12; ++i) {
    lines += fmt::format("{{\"case\": {}, \"topic\": \"{}\", \"label\": \"{}\", \"prediction\": \"Spam\"}}\n",
                         i, i % 3 == 0 ? "mail" : "chat: more", i % 2 == 0 ? "Spam" : "no: \\\"spam\\\"");
  }
  File("labels.jsonl", lines);
  EXPECT_EQ(InitAndRun("labels.jsonl"),
            "  leafscore score labels.jsonl --config scorers.yaml --id-field case --actual-field prediction "
            "--expected-field label --group-by topic -o scores.jsonl\n");
  EXPECT_THAT(config_,
              HasSubstr("  - type: classification\n    classes: [\"Spam\", \"no: \\\"spam\\\"\"]\n"));
  EXPECT_THAT(Scores(), HasSubstr("\"groups\": {\"topic\": \"chat: more\"}"));
}

TEST_F(InitCommandTest, Texts) {
  File("a.json",
       "[{\"question\": \"Capital?\", \"reference\": \"Oslo is it.\", \"output\": \"Oslo\"},\n"
       "{\"question\": \"River?\", \"reference\": \"The Glomma.\", \"output\": \"Glomma\"}]\n");
  EXPECT_EQ(InitAndRun("a.json"),
            "  leafscore score a.json --config scorers.yaml --id-field question --actual-field output "
            "--expected-field reference -o scores.jsonl\n");
  EXPECT_THAT(config_, HasSubstr("  - type: levenshtein\n"));
}

TEST_F(InitCommandTest, ToolCalls) {
  const std::string calls = "[{\"name\": \"search\", \"arguments\": {\"q\": \"x\"}}]";
  File("it's.jsonl", "{\"id\": \"a\", \"expected\": " + calls + ", \"actual\": " + calls + "}\n");
  EXPECT_EQ(InitAndRun("\"it's.jsonl\""),
            "  leafscore score 'it'\\''s.jsonl' --config scorers.yaml -o scores.jsonl\n");
  EXPECT_THAT(config_, HasSubstr("  - type: tool_calls\n"));
  EXPECT_THAT(Scores(), HasSubstr("\"score\": 1,"));
}

TEST_F(InitCommandTest, Numbers) {
  File("a.jsonl", "{\"id\": 1, \"target\": 4, \"pred\": 4}\n{\"id\": 2, \"target\": 5, \"pred\": 6}\n");
  EXPECT_THAT(InitAndRun("a.jsonl"), HasSubstr("--actual-field pred --expected-field target"));
  EXPECT_THAT(config_, HasSubstr("  - type: exact_match\n"));
}

TEST_F(InitCommandTest, LongLayout) {
  std::string lines;
  for (int i = 0; i < 12; ++i) {
    lines += fmt::format(
        "{{\"id\": {}, \"model\": \"m{}\", \"expected\": {{\"a\": {}}}, \"actual\": {{\"a\": 1}}}}\n", i / 2,
        i % 2, i / 2);
  }
  File("long.jsonl", lines);
  EXPECT_EQ(InitAndRun("long.jsonl"),
            "  leafscore score long.jsonl --config scorers.yaml --source-field model -o scores.jsonl\n"
            "  leafscore leaderboard scores.jsonl --by model\n");
  EXPECT_THAT(shown_, HasSubstr("  \"model\"                  labels: who answered\n"));
}

TEST_F(InitCommandTest, GoldApart) {
  File("gold.jsonl",
       "{\"qid\": 1, \"gold\": {\"a\": 1}, \"task\": \"t\"}\n{\"qid\": 2, \"gold\": {\"a\": 2}, \"task\": "
       "\"t\"}\n");
  File("m1.jsonl", "{\"id\": 1, \"response\": {\"a\": 1}}\n");
  File("m2.jsonl", "{\"id\": 2, \"response\": {\"a\": 1}}\n");
  EXPECT_EQ(
      InitAndRun("gold.jsonl m1.jsonl m2.jsonl"),
      "  leafscore score m1.jsonl m2.jsonl --gold gold.jsonl --config scorers.yaml --actual-field response "
      "--gold-id-field qid --gold-expected-field gold -o scores.jsonl\n"
      "  leafscore leaderboard scores.jsonl --by source\n");
  EXPECT_EQ(SplitLines(Scores()).size(), 4u);
}

TEST_F(InitCommandTest, OnlyGold) {
  File("gold.jsonl", "{\"id\": 1, \"expected\": {\"a\": 1}}\n{\"id\": 2, \"expected\": {\"a\": 2}}\n");
  EXPECT_EQ(InitAndRun("gold.jsonl"), "  leafscore lint gold.jsonl --config scorers.yaml\n");
}

TEST_F(InitCommandTest, AFileAModel) {
  for (const std::string name : {"m1.jsonl", "m2.jsonl"}) {
    File(name,
         "{\"id\": 1, \"expected\": {\"a\": 1}, \"actual\": {\"a\": 1}}\n"
         "{\"id\": 2, \"expected\": {\"a\": 2}, \"actual\": {\"a\": 1}}\n");
  }
  EXPECT_EQ(InitAndRun("m1.jsonl m2.jsonl"),
            "  leafscore score m1.jsonl m2.jsonl --gold m1.jsonl --config scorers.yaml -o scores.jsonl\n"
            "  leafscore leaderboard scores.jsonl --by source\n");
  EXPECT_EQ(SplitLines(Scores()).size(), 4u);
}

TEST_F(InitCommandTest, Tables) {
  const std::string table =
      "Id;Expected Output;Actual Output\n1;\"{\"\"a\"\": 1}\";\"{\"\"a\"\": 1}\"\n2;\"{\"\"a\"\": 2}\";\n";
  File("a.csv", table);
  EXPECT_EQ(InitAndRun("a.csv"),
            "  leafscore score a.csv --config scorers.yaml --id-field Id --actual-field 'Actual Output' "
            "--expected-field 'Expected Output' -o scores.jsonl\n");
  EXPECT_THAT(shown_, HasSubstr("objects and arrays in 1: the answer"));
  EXPECT_THAT(config_, HasSubstr("  - type: json_similarity\n"));
  std::filesystem::remove(folder_ / "scorers.yaml");
  File("a.data", table);
  EXPECT_THAT(InitAndRun("--input-format csv a.data"), HasSubstr("--input-format csv"));
}

TEST_F(InitCommandTest, WideLayout) {
  File("wide.jsonl",
       "{\"id\": 1, \"expected\": {\"a\": 1}, \"answers\": {\"gpt-4.1\": {\"a\": 1}, \"b/c\": {\"a\": 2}}}\n"
       "{\"id\": 2, \"expected\": {\"a\": 2}, \"answers\": {\"gpt-4.1\": {\"a\": 1}}}\n");
  EXPECT_EQ(InitAndRun("wide.jsonl"),
            "  leafscore score wide.jsonl --config scorers.yaml --actual-field 'answers.*' -o scores.jsonl\n"
            "  leafscore leaderboard scores.jsonl --by model\n");
  EXPECT_THAT(Scores(), HasSubstr("\"groups\": {\"model\": \"b/c\"}"));
  EXPECT_THAT(shown_, HasSubstr("objects and arrays: answers of models"));
}

TEST_F(InitCommandTest, BooleansAreNoLabels) {
  File("bool.jsonl",
       "{\"id\": 1, \"expected\": true, \"actual\": true}\n"
       "{\"id\": 2, \"expected\": false, \"actual\": true}\n"
       "{\"id\": 3, \"expected\": true, \"actual\": true}\n");
  InitAndRun("bool.jsonl");
  EXPECT_THAT(config_, HasSubstr("  - type: exact_match\n"));
}

TEST_F(InitCommandTest, WideColumns) {
  File("wide.csv", "id,gold,answer_m1,answer_m2\n1,Oslo,Oslo,Rome\n2,Bern,Bern,Bern\n");
  EXPECT_THAT(InitAndRun("wide.csv"), HasSubstr("--actual-field 'answer_*' --expected-field gold"));
  EXPECT_THAT(Scores(), HasSubstr("\"groups\": {\"model\": \"m2\"}"));
}

TEST_F(InitCommandTest, AFileOfFieldsCalledAnswerIsTheGoldOfAnother) {
  File("gold.jsonl", "{\"id\": 1, \"answer\": \"Oslo\"}\n");
  File("a.jsonl", "{\"id\": 1, \"prediction\": \"Rome\"}\n");
  EXPECT_THAT(InitAndRun("gold.jsonl a.jsonl"), HasSubstr("a.jsonl --gold gold.jsonl"));
}

// Lines of a batch of OpenAI; an empty body is a failed request.
std::string OpenAiBatch(const std::vector<std::string>& bodies) {
  std::string lines;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string response =
        bodies[i].empty() ? "null" : fmt::format("{{\"status_code\": 200, \"body\": {}}}", bodies[i]);
    lines +=
        fmt::format("{{\"id\": \"batch_req_{}\", \"custom_id\": \"q{}\", \"response\": {}, \"error\": {}}}\n",
                    i, i, response, bodies[i].empty() ? "{\"message\": \"expired\"}" : "null");
  }
  return lines;
}

std::string AnthropicBatch(const std::vector<std::string>& contents) {
  std::string lines;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::string result =
        contents[i].empty()
            ? R"({"type": "errored", "error": {"type": "overloaded_error"}})"
            : fmt::format(R"({{"type": "succeeded", "message": {{"id": "msg_{}", "type": "message", "role": )"
                          R"("assistant", "content": [{}]}}}})",
                          i, contents[i]);
    lines += fmt::format("{{\"custom_id\": \"q{}\", \"result\": {}}}\n", i, result);
  }
  return lines;
}

const char* const kGoldOfBatch =
    "{\"id\": \"q0\", \"expected\": {\"city\": \"Oslo\"}}\n{\"id\": \"q1\", \"expected\": {\"city\": "
    "\"Rome\"}}\n"
    "{\"id\": \"q2\", \"expected\": {\"city\": \"Bern\"}}\n";
const char* const kGoldOfCalls =
    "{\"id\": \"q0\", \"expected\": [{\"name\": \"f\", \"arguments\": {\"x\": 1}}]}\n"
    "{\"id\": \"q1\", \"expected\": [{\"name\": \"f\", \"arguments\": {\"x\": 2}}]}\n";

TEST_F(InitCommandTest, ABatchOfOpenAiWhoseFirstRequestFailed) {
  File("gold.jsonl", kGoldOfBatch);
  const std::string body =
      R"({"choices": [{"message": {"role": "assistant", "content": "{\"city\": \"Rome\"}"}}]})";
  File("batch.jsonl", OpenAiBatch({"", body, body}));
  EXPECT_EQ(InitAndRun("batch.jsonl gold.jsonl"),
            "  leafscore score batch.jsonl --gold gold.jsonl --config scorers.yaml --id-field custom_id "
            "--actual-field 'response.body.choices[0].message.content' --gold-id-field id -o scores.jsonl\n");
  EXPECT_THAT(Scores(), HasSubstr("{\"id\": \"q1\", \"source\": \"batch\", \"scorer\": \"json_similarity\", "
                                  "\"outcome\": \"scored\", \"score\": 1,"));
  EXPECT_THAT(Scores(), HasSubstr("\"outcome\": \"unanswered\""));
  EXPECT_THAT(shown_,
              HasSubstr("  \"response\"               objects and arrays in 2: the answer is in it\n"));
}

TEST_F(InitCommandTest, ResponsesOfOpenAi) {
  File("gold.jsonl", kGoldOfBatch);
  const std::string body =
      R"({"object": "response", "output": [{"type": "reasoning", "summary": []}, {"type": "message", "content": )"
      R"([{"type": "output_text", "text": "{\"city\": \"Oslo\"}"}]}]})";
  File("batch.jsonl", OpenAiBatch({body, body, ""}));
  EXPECT_THAT(InitAndRun("batch.jsonl gold.jsonl"),
              HasSubstr("--actual-field 'response.body.output[1].content[0].text'"));
  EXPECT_THAT(Scores(), HasSubstr("\"score\": 1,"));
}

TEST_F(InitCommandTest, ABatchOfAnthropicThatSometimesThinks) {
  if (Shell("jq --version").exit_code != 0) GTEST_SKIP() << "jq is missing";
  File("gold.jsonl", kGoldOfBatch);
  const std::string text = R"({"type": "text", "text": "{\"city\": \"Oslo\"}"})";
  const std::string thinking = R"({"type": "thinking", "thinking": "It's Oslo."}, )";
  File("batch.jsonl", AnthropicBatch({"", thinking + text, thinking + text}));
  EXPECT_THAT(InitAndRun("batch.jsonl gold.jsonl"),
              HasSubstr("--actual-field 'result.message.content[1].text'"));
  std::filesystem::remove(folder_ / "scorers.yaml");
  File("batch.jsonl", AnthropicBatch({thinking + text, text, ""}));
  EXPECT_THAT(InitAndRun("batch.jsonl gold.jsonl"),
              HasSubstr("batch.jsonl > batch.answers.jsonl\n  leafscore score batch.answers.jsonl --gold "));
  EXPECT_THAT(Scores(),
              HasSubstr("\"id\": \"q0\", \"source\": \"batch.answers\", \"scorer\": \"json_similarity\", "
                        "\"outcome\": \"scored\", \"score\": 1,"));
  EXPECT_THAT(Scores(),
              HasSubstr("\"id\": \"q1\", \"source\": \"batch.answers\", \"scorer\": \"json_similarity\", "
                        "\"outcome\": \"scored\", \"score\": 0,"));
  EXPECT_THAT(Scores(), HasSubstr("\"outcome\": \"unanswered\""));
}

TEST_F(InitCommandTest, CallsInBatches) {
  File("gold.jsonl", kGoldOfCalls);
  const auto chat = [](int x) {
    return fmt::format(
        R"({{"choices": [{{"message": {{"role": "assistant", "content": null, "tool_calls": [{{"type": "function", )"
        R"("function": {{"name": "f", "arguments": "{{\"x\": {}}}"}}}}]}}}}]}})",
        x);
  };
  const auto response = [](int x) {
    return fmt::format(
        R"({{"object": "response", "output": [{{"type": "function_call", "name": "f", "arguments": )"
        R"("{{\"x\": {}}}"}}]}})",
        x);
  };
  const auto message = [](int x) {
    return fmt::format(
        R"({{"type": "text", "text": "I call."}}, {{"type": "tool_use", "name": "f", "input": )"
        R"({{"x": {}}}}})",
        x);
  };
  for (const std::string& batch : {OpenAiBatch({chat(1), chat(2)}), OpenAiBatch({response(1), response(2)}),
                                   AnthropicBatch({message(1), message(2)})}) {
    File("batch.jsonl", batch);
    std::filesystem::remove(folder_ / "scorers.yaml");
    std::filesystem::remove(folder_ / "scores.jsonl");
    const std::string commands = InitAndRun("batch.jsonl gold.jsonl");
    EXPECT_THAT(config_, HasSubstr("  - type: tool_calls\n"));
    const std::vector<std::string> lines = SplitLines(Scores());
    ASSERT_EQ(lines.size(), 2u) << commands;
    for (const std::string& line : lines) EXPECT_THAT(line, HasSubstr("\"score\": 1,")) << commands;
  }
}

TEST_F(InitCommandTest, OutputOfServicesWithoutGold) {
  File("batch.jsonl", OpenAiBatch({R"({"choices": [{"message": {"content": "x"}}]})"}));
  ExpectRefused(
      Shell("leafscore init batch.jsonl"),
      "batch.jsonl looks like a batch of OpenAI, without expected values: give the file with them, too: "
      "leafscore init batch.jsonl GOLD");
  const std::string chat = R"({"id": "chatcmpl-1", "choices": [{"message": {"content": "{}"}}]})";
  File("chats.jsonl", chat + "\n");
  ExpectRefused(Shell("leafscore init chats.jsonl"), "add the id and the expected value to each record");
  File("gold.jsonl", kGoldOfBatch);
  ExpectRefused(Shell("leafscore init chats.jsonl gold.jsonl"),
                "whose ids are those of the service: add the id in gold.jsonl to each record");
}

TEST_F(InitCommandTest, WideColumnsWhoseNamesEndAlike) {
  File("wide.csv", "id,gold,gpt_answer,claude_answer\n1,Oslo,Oslo,\n2,Bern,Bern,\n3,Rome,Oslo,Rome\n");
  EXPECT_THAT(InitAndRun("wide.csv"), HasSubstr("--actual-field '*_answer' --expected-field gold"));
  EXPECT_THAT(Scores(), HasSubstr("\"groups\": {\"model\": \"claude\"}"));
}

TEST_F(InitCommandTest, OneOfTwoFilesOfAnswersIsCalledGold) {
  File("Gold answers.jsonl", "{\"id\": 1, \"Answer\": \"Oslo\"}\n");
  File("answers.jsonl", "{\"id\": 1, \"answer\": \"Rome\"}\n");
  EXPECT_THAT(
      InitAndRun("answers.jsonl 'Gold answers.jsonl'"),
      HasSubstr("answers.jsonl --gold 'Gold answers.jsonl' --config scorers.yaml --actual-field answer "
                "--gold-expected-field Answer -o"));
  EXPECT_EQ(SplitLines(Scores()).size(), 1u);
}

TEST_F(InitCommandTest, NamesThatBeginWithADash) {
  File("-a.jsonl", "{\"id\": 1, \"expected\": \"Oslo\", \"actual\": \"Oslo\", \"-model\": \"m\"}\n");
  const SubprocessResult init = Shell("leafscore init -o ./-s.yaml -- -a.jsonl");
  EXPECT_EQ(init.exit_code, 0) << init.err;
  EXPECT_THAT(init.out, HasSubstr("  leafscore score ./-a.jsonl --config ./-s.yaml -o scores.jsonl\n"));
}

TEST_F(InitCommandTest, NothingRecognisable) {
  File("a.jsonl", "{\"x\": 1, \"y\": 2}\n");
  const SubprocessResult run = Shell("leafscore init a.jsonl");
  ExpectRefused(run,
                "no field of a.jsonl looks like an expected value or an answer; its fields: \"x\", \"y\"");
  File("answers.jsonl", "{\"id\": 1, \"actual\": 2}\n");
  ExpectRefused(Shell("leafscore init answers.jsonl"),
                "no field of answers.jsonl looks like an expected value");
  File("empty.jsonl", "");
  ExpectRefused(Shell("leafscore init empty.jsonl"), "empty.jsonl holds no records");
  ExpectRefused(Shell("leafscore init -"), "name files");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "scorers.yaml"));
}

TEST_F(InitCommandTest, AConfigurationThatIsThereStays) {
  File("a.jsonl", "{\"id\": 1, \"expected\": \"a\", \"actual\": \"a\"}\n");
  File("scorers.yaml", "mine");
  ExpectRefused(Shell("leafscore init a.jsonl"), "scorers.yaml exists, and init overwrites no file");
  EXPECT_EQ(ReadFile(folder_ / "scorers.yaml"), "mine");
  const SubprocessResult other = Shell("leafscore init a.jsonl -o 'my scorers.yaml'");
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("--config 'my scorers.yaml'"));
}

}  // namespace
}  // namespace leafscore::internal
