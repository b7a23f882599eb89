// code_judge: programs that score, and programs that misbehave in every way that their neighbours must
// survive.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "run/run_testing.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

// Replies to the line `$line` with the score 0.5, but misbehaves when the line holds one of these words.
constexpr char kUnruly[] = R"sh(
  case $line in
    *sleep*) sleep 1000 ;;
    *stubborn*) trap '' TERM; while :; do sleep 1000; done ;;
    *segv*) kill -SEGV $$ ;;
    *status*) echo 'what is wrong' >&2; exit 3 ;;
    *quiet*) exit 0 ;;
    *flood*) yes 'far too much' ;;
    *forks*) sleep 1000 & ;;
    *errors*) head -c 3000000 /dev/zero | tr '\0' e >&2; exit 4 ;;
    *nonsense*) echo 'score: 1'; exit 0 ;;
    *bytes*) printf '{"score": 1, "reasoning": "\377"}\n'; exit 0 ;;
    *closes*) exec >&-; sleep 1000 ;;
  esac
  echo '{"score": 0.5, "hits": ["seen"]}'
)sh";

class CodeJudgeTest : public RunTest {
 protected:
  void TearDown() override {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD) << "a child or zombie was left";
  }

  void Script(const std::string& name, const std::string& text) {
    WriteFile(folder_ / name, text);
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

  // Makes judge.sh, which does `body` with the document in $line: once, or line by line.
  void Judge(const std::string& body) {
    Script("judge.sh", "#!/bin/sh\nread -r line\n" + body);
    Script("persistent.sh", "#!/bin/sh\nwhile read -r line; do\n" + body + "\ndone\n");
  }

  Plan MakePlan(const std::string& options) {
    return Plan::FromConfig("evaluators:\n- {name: judge, type: code_judge, " + options + "}\n",
                            folder_ / "judges.yaml");
  }

  // Scores one pair with a judge that always writes `reply`, and returns the score or "reason: message".
  std::string Reply(const std::string& reply) {
    WriteFile(folder_ / "reply", reply);
    const ScoreColumns scores = Runner(MakePlan("script: [cat, reply]")).ScorePair("1", "1")[0];
    if (scores.outcome[0] == Outcome::kScored) return std::to_string(scores.score[0]);
    return std::string(RejectReasonName(scores.errors.at(0).reason)) + ": " + scores.errors[0].message;
  }

  std::string ConfigError(const std::string& options) {
    return ErrorOf(ErrorCode::kUsage, [&] { MakePlan(options); });
  }

  std::vector<double> Shifted(const std::string& body, int records, std::string* message);

  // Returns the one details object of a run over one record.
  std::string Details(const std::string& options, const std::string& record) {
    const FinishedRun run = RunText(MakePlan(options), record + "\n");
    const std::size_t begin = run.output.find("\"details\": ");
    return begin == std::string::npos ? run.output : run.output.substr(begin + 11);
  }
};

TEST_F(CodeJudgeTest, TheDocument) {
  // The judge gives back what it was given, as reasoning.
  Script("echo.sh",
         "#!/bin/sh\nprintf '{\"score\": 1, \"reasoning\": \"'\ntr -d '\\n' | sed 's/[\"\\\\]/\\\\&/g'\necho "
         "'\"}'\n");
  EXPECT_EQ(
      Details(
          "script: ./echo.sh, algorithm: levenshtein, n: 0x1F, b: True, "
          "fields: [{path: a.b, threshold: 0.850}], text: '1', none: ~, revision: [3], target_output_key: k",
          R"({"expected": "{\"k\": [1.0, NaN]}", "actual": {"k": "\u0041\n\""}})"),
      R"({"reasoning": "{\"candidate_answer\":\"A\\n\\\"\",\"reference_answer\":[1.0,null],\"config\":)"
      R"({\"algorithm\":\"levenshtein\",\"n\":31,\"b\":true,\"fields\":[{\"path\":\"a.b\",)"
      R"(\"threshold\":0.850}],\"text\":\"1\",\"none\":null,\"revision\":[3]}}"}})"
      "\n");
  EXPECT_EQ(Details("script: ./echo.sh, target_output_key: [a]", R"({"actual": {"a": 2}})"),
            R"({"reasoning": "{\"candidate_answer\":{\"a\":2},\"reference_answer\":null,\"config\":{}}"}})"
            "\n");
}

TEST_F(CodeJudgeTest, Replies) {
  EXPECT_EQ(Reply(R"({"score": 0.25})"), "0.250000");
  EXPECT_EQ(Reply(" {\"score\":\n 1e0}\r\n\n"), "1.000000");
  EXPECT_EQ(Reply(R"({"score": 7})"), "1.000000");
  EXPECT_EQ(Reply(R"({"score": -0.5})"), "0.000000");
  EXPECT_EQ(Reply(R"({"score": -0.0})"), "0.000000");
  EXPECT_EQ(Reply(R"({"hits": null, "reasoning": null, "score": 1, "extra": {"score": 0}})"), "1.000000");

  EXPECT_EQ(Reply(""), "judge_bad_reply: the program wrote no reply");
  EXPECT_EQ(Reply(" \n"), "judge_bad_reply: the program wrote no reply");
  EXPECT_EQ(Reply("fine\n"),
            "judge_bad_reply: the reply \"fine\\n\" is not JSON: at byte 0, there is no valid value here");
  EXPECT_EQ(Reply("0.5"), "judge_bad_reply: the reply \"0.5\" is not a JSON object");
  EXPECT_EQ(Reply("{}"), "judge_bad_reply: the reply \"{}\" has no \"score\"");
  for (const std::string score : {"true", "\"0.5\"", "null", "[1]"}) {
    EXPECT_NE(Reply("{\"score\": " + score + "}").find("has a \"score\" that is not a number"),
              std::string::npos);
  }
  for (const std::string score : {"NaN", "Infinity", "-Infinity", "1e400", "-1e400"}) {
    EXPECT_NE(Reply("{\"score\": " + score + "}").find("has a \"score\" that is not finite"),
              std::string::npos);
  }
  for (const std::string reply : {R"({"score": 0, "score": 1})", R"({"score": 1, "\u0073core": 1})"}) {
    EXPECT_NE(Reply(reply).find("has a key twice"), std::string::npos) << reply;
  }
  EXPECT_NE(Reply(R"({"score": 1, "hits": 3})").find("has \"hits\" that is not a list"), std::string::npos);
  EXPECT_NE(Reply(R"({"score": 1, "reasoning": []})").find("has \"reasoning\" that is not a text"),
            std::string::npos);
  EXPECT_NE(Reply("{\"score\": 1}{\"score\": 1}").find("is not JSON"), std::string::npos);
  EXPECT_NE(Reply("\xff\xfe").find("the reply \"\\xff\\xfe\" is not JSON"), std::string::npos);
  EXPECT_NE(Reply("{\"score\": 1, \"hits\": " + std::string(2000, '[')).find("is not JSON"),
            std::string::npos);
  EXPECT_EQ(Reply(std::string(65537, ' ')),
            "judge_bad_reply: the reply is longer than 65536 bytes (max_output_bytes)");
}

TEST_F(CodeJudgeTest, DetailsAndVerdict) {
  Judge(R"(echo '{"misses": [], "reasoning": "so \u00e9", "score": 0.5, "hits": ["a", {"b": NaN}]}')");
  const std::string record = R"({"expected": 1, "actual": 1})";
  EXPECT_EQ(Details("script: judge.sh", record),
            "{\"hits\": [\"a\",{\"b\":null}], \"misses\": [], \"reasoning\": \"so \u00e9\"}}\n");
  ScoredPair pair(MakePlan("script: judge.sh"), "1", "1", DetailLevel::kNone);
  EXPECT_EQ(pair.Texts(0), (std::vector<std::string>{"a", R"({"b":null})"}));
  EXPECT_EQ(pair.Texts(1), std::vector<std::string>());
  EXPECT_EQ(pair.Texts(2), std::vector<std::string>{"so \u00e9"});
  EXPECT_EQ(Runner(MakePlan("script: judge.sh")).ScorePair("1", "1")[0].passed[0], -1);
  EXPECT_EQ(Runner(MakePlan("script: judge.sh, threshold: 0.5")).ScorePair("1", "1")[0].passed[0], 1);
  EXPECT_EQ(Runner(MakePlan("script: judge.sh, threshold: 0.51")).ScorePair("1", "1")[0].passed[0], 0);
  // What a reply lacks is no text.
  Judge(R"(echo '{"score": 0.5, "hits": [null, 2], "reasoning": null}')");
  ScoredPair silent(MakePlan("script: judge.sh"), "1", "1", DetailLevel::kNone);
  EXPECT_EQ(silent.Details(), R"({"hits": [null,2]})");
  EXPECT_EQ(silent.Texts(0), (std::vector<std::string>{"null", "2"}));
  EXPECT_EQ(silent.Texts(2), std::vector<std::string>());
  // A record without an actual value is not for a judge.
  EXPECT_EQ(Runner(MakePlan("script: judge.sh, target_output_key: a")).ScorePair("{}", "{}")[0].outcome[0],
            Outcome::kError);
}

// Every kind of misbehaviour between well-behaved neighbours.
class UnrulyJudgeTest : public CodeJudgeTest {
 protected:
  // Only judges that never end may reach it, however busy the machine is.
  static constexpr int kTimeoutMs = 3000;

  void Run(const std::string& options) {
    Judge(kUnruly);
    std::string input;
    for (const std::string& word : words_) input += Record("fine") + Record(word);
    input += Record("fine");
    std::string first;
    for (const unsigned threads : {1u, 3u, 8u}) {
      FileOptions files;
      files.threads = threads;
      files.batch_bytes = threads == 1 ? 1 << 20 : 100;
      const auto start = std::chrono::steady_clock::now();
      const FinishedRun run =
          RunText(MakePlan(options + ", max_output_bytes: 2000, timeout_ms: " + std::to_string(kTimeoutMs)),
                  input, files);
      // Three judges never end; generous for a machine under load, but far less than their thousand seconds.
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(100));
      if (first.empty()) first = run.output;
      EXPECT_EQ(run.output, first) << threads << " threads";
      ASSERT_EQ(run.lines.size(), 2 * words_.size() + 1);
    }
    const std::vector<std::string> lines = SplitLines(first);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const rapidjson::Document line = ParseLine(lines[i]);
      if (i % 2 == 0 || words_[i / 2] == "forks") {
        EXPECT_STREQ(line["outcome"].GetString(), "scored") << lines[i];
        continue;
      }
      results_[words_[i / 2]] = std::string(line["reason"].GetString()) + ": " + line["message"].GetString();
    }
    EXPECT_EQ(results_["stubborn"], results_["sleep"]);
    EXPECT_EQ(results_["closes"], results_["sleep"]);
    EXPECT_EQ(results_["segv"], "judge_crashed: signal 11 (Segmentation fault) ended the program");
    EXPECT_EQ(results_["status"],
              "judge_crashed: the program ended with exit status 3; its standard error ends with \"what is "
              "wrong\"");
    EXPECT_EQ(results_["quiet"], "judge_bad_reply: the program wrote no reply");
  }

  static std::string Record(const std::string& word) {
    return R"({"expected": 1, "actual": ")" + word + "\"}\n";
  }

  const std::vector<std::string> words_ = {"sleep", "stubborn", "segv",   "status",   "quiet", "flood",
                                           "forks", "errors",   "closes", "nonsense", "bytes"};
  std::map<std::string, std::string> results_;
};

TEST_F(UnrulyJudgeTest, OncePerRecord) {
  Run("script: judge.sh");
  EXPECT_EQ(results_["sleep"], "judge_timeout: the program was killed after " + std::to_string(kTimeoutMs) +
                                   " ms (timeout_ms) without ending");
  EXPECT_EQ(results_["flood"], "judge_bad_reply: the reply is longer than 2000 bytes (max_output_bytes)");
  EXPECT_EQ(results_["errors"],
            "judge_crashed: the program ended with exit status 4; its standard error ends with ...\"" +
                std::string(240, 'e') + "\"");
  EXPECT_NE(results_["nonsense"].find("judge_bad_reply: the reply \"score: 1\\n\" is not JSON"),
            std::string::npos);
  EXPECT_NE(results_["bytes"].find("judge_bad_reply: the reply "), std::string::npos) << results_["bytes"];
}

TEST_F(UnrulyJudgeTest, Persistent) {
  Run("script: persistent.sh, process: persistent");
  EXPECT_EQ(results_["sleep"], "judge_timeout: the program was killed after " + std::to_string(kTimeoutMs) +
                                   " ms (timeout_ms) without a line of reply");
  EXPECT_NE(results_["flood"].find("judge_bad_reply: the reply \"far too much\" is not JSON"),
            std::string::npos);
  EXPECT_NE(results_["errors"].find("exit status 4"), std::string::npos);
  EXPECT_NE(results_["nonsense"].find("judge_bad_reply: the reply \"score: 1\" is not JSON"),
            std::string::npos);
}

TEST_F(CodeJudgeTest, ALargeDocumentThatIsNotRead) {
  const std::string large = "\"" + std::string(1 << 20, 'x') + "\"";
  Script("blind.sh", "#!/bin/sh\necho '{\"score\": 1}'\n");
  EXPECT_EQ(Runner(MakePlan("script: blind.sh")).ScorePair(large, large)[0].score[0], 1.0);
  Script("deaf.sh", "#!/bin/sh\nexec sleep 1000\n");
  const ScoreColumns deaf = Runner(MakePlan("script: deaf.sh, timeout_ms: 100")).ScorePair(large, large)[0];
  EXPECT_EQ(deaf.errors.at(0).reason, RejectReason::kJudgeTimeout);
  Script("slams.sh", "#!/bin/sh\nexec <&-\nexit 5\n");
  const ScoreColumns slams = Runner(MakePlan("script: slams.sh")).ScorePair(large, large)[0];
  EXPECT_EQ(slams.errors.at(0).message, "the program ended with exit status 5");
}

TEST_F(CodeJudgeTest, APersistentProcessServesManyRecords) {
  // Each process logs its start.
  Script("judge.sh", "#!/bin/sh\necho x >>starts\nwhile read -r line; do echo '{\"score\": 1}'; done\n");
  std::string input;
  for (int i = 0; i < 50; ++i) input += "{\"expected\": 1, \"actual\": 1}\n";
  FileOptions files;
  files.threads = 1;
  RunText(MakePlan("script: judge.sh, process: persistent"), input, files);
  EXPECT_EQ(SplitLines(ReadFile(folder_ / "starts")).size(), 1u);
}

TEST_F(CodeJudgeTest, WhatHappenedBeforeDoesNotCount) {
  // Programs that serve one line, then end or fail: each record finds a fresh one.
  for (const std::string body :
       {"read -r line; echo '{\"score\": 1}'", "read -r line; echo '{\"score\": 1}'; exit 3",
        "read -r line; echo '{\"score\": 1}'; read -r line; echo second >&2; exit 4",
        "read -r line; printf '{\"score\": 1}'"}) {
    Script("judge.sh", "#!/bin/sh\n" + body + "\n");
    std::string input;
    for (int i = 0; i < 20; ++i) input += "{\"expected\": 1, \"actual\": 1}\n";
    const FinishedRun run = RunText(MakePlan("script: judge.sh, process: persistent"), input);
    ASSERT_EQ(run.lines.size(), 20u);
    for (const std::string& line : run.lines) {
      EXPECT_NE(line.find("\"outcome\": \"scored\", \"score\": 1,"), std::string::npos) << body << "\n"
                                                                                        << line;
    }
  }
}

// Scores records, of whose answers the n-th is n, with a persistent judge of one worker that replies n / 10
// to it, and returns the scores, or -1 for errors.
std::vector<double> CodeJudgeTest::Shifted(const std::string& body, int records, std::string* message) {
  Script("judge.sh",
         "#!/bin/sh\nwhile read -r line; do\nn=${line#*answer\\\":}\nn=${n%%,*}\n"
         "s=${line##*sequence\\\":}\ns=${s%%\\}*}\n" +
             body + "\ndone\n");
  std::string input;
  for (int i = 1; i <= records; ++i) {
    input += R"({"expected": 0, "actual": )" + std::to_string(i) + "}\n";
  }
  FileOptions files;
  files.threads = 1;
  const FinishedRun run = RunText(MakePlan("script: judge.sh, process: persistent"), input, files);
  std::vector<double> scores;
  for (const std::string& text : run.lines) {
    const rapidjson::Document line = ParseLine(text);
    const bool scored = line.HasMember("score");
    scores.push_back(scored ? line["score"].GetDouble() : -1);
    if (!scored && message != nullptr) {
      *message = std::string(line["reason"].GetString()) + ": " + line["message"].GetString();
    }
  }
  return scores;
}

// One line too many gave every later record the reply to the one before it, and the run ended well.
TEST_F(CodeJudgeTest, ALineTooManyFailsItsRecordAndShiftsNoOther) {
  const std::vector<double> second_fails = {0.1, -1, 0.3, 0.4, 0.5};
  std::string message;
  // Behind the reply, and before it.
  for (const std::string extra :
       {"[ $n = 2 ] && printf '{\"score\": 0.2}\\n{\"score\": 0.9}\\n' || echo \"{\\\"score\\\": 0.$n}\"",
        "[ $n = 2 ] && echo starting; echo \"{\\\"score\\\": 0.$n}\""}) {
    EXPECT_EQ(Shifted(extra, 5, &message), second_fails) << extra;
    EXPECT_TRUE(message.starts_with("judge_bad_reply: ")) << message;
  }
}

TEST_F(CodeJudgeTest, ARepeatedSequenceTellsWhatAReplyAnswers) {
  const std::string reply = "echo \"{\\\"sequence\\\": $s, \\\"score\\\": 0.$n}\"";
  EXPECT_EQ(Shifted(reply, 5, nullptr), (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}));
  // A reply that is certain stands, whatever follows it. A line that comes late may cost the next record its
  // score, but never gives it another one.
  std::vector<double> scores = Shifted(reply + "; [ $n = 2 ] && echo more", 5, nullptr);
  ASSERT_EQ(scores.size(), 5u);
  if (scores[2] == -1) scores[2] = 0.3;
  EXPECT_EQ(scores, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}));
  std::string message;
  EXPECT_EQ(Shifted("[ $n = 2 ] && s=1; " + reply, 5, &message),
            (std::vector<double>{0.1, -1, 0.3, 0.4, 0.5}));
  EXPECT_EQ(
      message,
      "judge_bad_reply: the reply has the sequence \"1\", but the request has 2: it answers another request");
}

TEST_F(CodeJudgeTest, StopsAfterSoManyFailuresInARow) {
  Script("judge.sh",
         "#!/bin/sh\necho x >>starts\nread -r line\ncase $line in *fine*) echo '{\"score\": 1}' ;; *) exit 3 "
         ";; esac\n");
  const auto run = [&](const std::string& answers, int max_failures) {
    std::string input;
    for (const char c : answers) {
      input += std::string(R"({"expected": 1, "actual": ")") + (c == '+' ? "fine" : "bad") + "\"}\n";
    }
    FileOptions files;
    files.threads = 1;
    std::filesystem::remove(folder_ / "starts");
    const FinishedRun finished =
        RunText(MakePlan("script: judge.sh, max_failures: " + std::to_string(max_failures)), input, files);
    std::string outcomes;
    for (const std::string& text : finished.lines) {
      const rapidjson::Document line = ParseLine(text);
      const std::string reason = line.HasMember("reason") ? line["reason"].GetString() : "";
      outcomes += reason.empty()              ? '+'
                  : reason == "judge_crashed" ? '-'
                  : reason == "judge_stopped" ? 's'
                                              : '?';
    }
    return outcomes;
  };
  EXPECT_EQ(run("--+---+++", 4), "--+---+++");
  EXPECT_EQ(run("--+---+++", 3), "--+---sss");
  EXPECT_EQ(SplitLines(ReadFile(folder_ / "starts")).size(), 6u);
  EXPECT_EQ(run("--+---+++", 2), "--sssssss");
  EXPECT_EQ(run(std::string(102, '-'), 100), std::string(100, '-') + "ss");
  EXPECT_NE(ConfigError("script: judge.sh, max_failures: 0").find("from 1 to"), std::string::npos);
}

TEST_F(CodeJudgeTest, MemoryIsLimited) {
  // dd asks for a block of 512 MiB, and fills nothing of it.
  Script("judge.sh",
         "#!/bin/sh\ndd if=/dev/null of=/dev/null bs=536870912 count=1 || exit 9\necho '{\"score\": 1}'\n");
  EXPECT_EQ(Runner(MakePlan("script: judge.sh")).ScorePair("1", "1")[0].score[0], 1.0);
  const ScoreColumns scores =
      Runner(MakePlan("script: judge.sh, max_memory_bytes: 268435456")).ScorePair("1", "1")[0];
  EXPECT_EQ(scores.errors.at(0).reason, RejectReason::kJudgeCrashed);
}

TEST_F(CodeJudgeTest, AStoppedRunDoesNotWaitForAJudge) {
  Script("judge.sh", "#!/bin/sh\necho started >started\nexec sleep 1000\n");
  std::atomic<bool> stop = false;
  std::thread stopper([&] {
    while (!std::filesystem::exists(folder_ / "started")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    stop = true;
  });
  FileOptions files;
  files.stop = &stop;
  const FinishedRun run =
      RunText(MakePlan("script: judge.sh, timeout_ms: 1000000"), "{\"expected\": 1, \"actual\": 1}\n", files);
  stopper.join();
  ASSERT_TRUE(run.result.error);
  EXPECT_EQ(run.result.error->code(), ErrorCode::kInterrupted);
  EXPECT_EQ(run.output, "");
}

TEST_F(CodeJudgeTest, WrongConfigurations) {
  const std::string owner = (folder_ / "judges.yaml") + ":2: scorer \"judge\" (code_judge): option ";
  EXPECT_EQ(ConfigError("n: 1"), owner + "\"script\": name the program, as in script: ./judge.py");
  EXPECT_EQ(ConfigError("script: []"), owner + "\"script\": name the program, as in script: ./judge.py");
  EXPECT_EQ(ConfigError("script: ./missing.py"),
            owner + "\"script\": there is no file " + (folder_ / "missing.py") +
                "; paths are relative to the folder of the configuration");
  WriteFile(folder_ / "plain.sh", "#!/bin/sh\n");
  EXPECT_EQ(ConfigError("script: plain.sh"),
            owner + "\"script\": \"" + (folder_ / "plain.sh") +
                "\" is not executable; run chmod +x on it, or write a list such as [node, ./judge.js]");
  EXPECT_NE(ConfigError("script: [no-such-program-anywhere]").find("is not executable"), std::string::npos);
  EXPECT_NE(ConfigError("script: {a: 1}").find("text or a list of texts"), std::string::npos);
  Judge("");
  EXPECT_EQ(ConfigError("script: judge.sh, process: forever"),
            owner + "\"process\": \"forever\" is neither per_record nor persistent");
  EXPECT_NE(ConfigError("script: judge.sh, timeout_ms: 0").find("from 1 to"), std::string::npos);
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [] { Plan({"code_judge"}); }).find("name the program"),
            std::string::npos);
}

TEST_F(CodeJudgeTest, AProgramThatCannotStartIsARecordsError) {
  Script("judge.sh", "#!/no/such/interpreter\n");
  const ScoreColumns scores = Runner(MakePlan("script: judge.sh")).ScorePair("1", "1")[0];
  EXPECT_EQ(scores.errors.at(0).reason, RejectReason::kJudgeCrashed);
  EXPECT_EQ(scores.errors.at(0).message,
            "the program cannot be started: " + (folder_ / "judge.sh") + ": No such file or directory");
}

}  // namespace
}  // namespace leafscore::internal
