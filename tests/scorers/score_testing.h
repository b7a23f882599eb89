// tests/scorers/score_testing.h: shared by the tests of scorers: scores of single pairs, errors as text, and
// small random values.
#ifndef LEAFSCORE_TESTS_SCORERS_SCORE_TESTING_H_
#define LEAFSCORE_TESTS_SCORERS_SCORE_TESTING_H_

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/batch_scorer.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {

inline rapidjson::Document Parsed(const std::string& json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(json.c_str());
  EXPECT_FALSE(document.HasParseError()) << json;
  return document;
}

// Scores one pair with a scorer given as YAML without braces: type: levenshtein, threshold: 0.5.
inline ScoreColumns Score(const std::string& evaluator, const std::string& expected,
                          const std::string& actual) {
  return Runner(Plan::FromConfig("evaluators:\n- {" + evaluator + "}\n")).ScorePair(expected, actual)[0];
}

inline double ScoreOf(const std::string& evaluator, const std::string& expected, const std::string& actual) {
  const ScoreColumns scores = Score(evaluator, expected, actual);
  EXPECT_EQ(scores.outcome[0], Outcome::kScored);
  return scores.score[0];
}

inline double MetricOf(const ScoreColumns& scores, std::string_view name) {
  for (const Metric& metric : scores.metrics) {
    if (metric.name == name) return metric.values[0];
  }
  ADD_FAILURE() << "no metric " << name;
  return -1;
}

// A pair that one scorer has judged with this outcome, with the scorer's complete output.
class ScoredPair {
 public:
  ScoredPair(Plan plan, const std::string& expected, const std::string& actual, DetailLevel level,
             Outcome outcome = Outcome::kScored)
      : plan_(std::move(plan)),
        texts_(expected + actual),
        scorer_(plan_.scorers(), {.details = level}),
        level_(level) {
    const auto middle = static_cast<std::int64_t>(expected.size());
    const std::array<std::int64_t, 2> expected_offsets = {0, middle};
    const std::array<std::int64_t, 2> actual_offsets = {middle, static_cast<std::int64_t>(texts_.size())};
    scorer_.ScoreTexts({texts_, expected_offsets}, {texts_, actual_offsets}, {});
    EXPECT_EQ(batch().columns().outcome[0], outcome);
  }

  const ScorerBatch& batch() { return scorer_.scorer_batch(0); }
  std::string Details(std::size_t max_bytes = kMaxDetailsBytes.default_value) {
    std::string details;
    DetailsWriter json(details, max_bytes);
    batch().WriteDetails(0, level_, json);
    json.Finish();
    return details;
  }
  std::vector<std::string> Texts(std::size_t metric) {
    std::vector<std::string> texts;
    batch().AppendTexts(0, metric, texts);
    return texts;
  }
  std::vector<JudgedLeaf> Leaves() {
    LeafList leaves(kMaxDetailsBytes.default_value);
    batch().AppendLeaves(0, leaves);
    return leaves.leaves();
  }

 private:
  Plan plan_;
  std::string texts_;
  BatchScorer scorer_;
  DetailLevel level_;
};

// Returns the details of one scored pair as written.
inline std::string DetailsOf(const std::string& evaluator, const std::string& expected,
                             const std::string& actual, DetailLevel level = DetailLevel::kBasic) {
  return ScoredPair(Plan::FromConfig("evaluators:\n- {" + evaluator + "}\n"), expected, actual, level)
      .Details();
}

// Returns "outcome, reason: message" of a record that is not scored.
inline std::string ErrorOf(const std::string& evaluator, const std::string& expected,
                           const std::string& actual) {
  const ScoreColumns scores = Score(evaluator, expected, actual);
  const std::string outcome(OutcomeName(scores.outcome[0]));
  if (scores.errors.empty()) return outcome;
  return outcome + ", " + std::string(RejectReasonName(scores.errors[0].reason)) + ": " +
         scores.errors[0].message;
}

inline std::string ConfigErrorOf(const std::string& evaluator) {
  try {
    Score(evaluator, "1", "1");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "no error";
}

// JSON values of few keys, letters and numbers, so that two of them have much in common.
class RandomJson {
 public:
  explicit RandomJson(std::uint32_t seed, std::uint32_t max_letters = 3)
      : random_(seed), max_letters_(max_letters) {}

  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::string Value(int depth) {
    const std::uint32_t kind = Below(depth > 0 ? 12 : 6);
    if (kind == 0) return "null";
    if (kind == 1) return Below(2) == 0 ? "true" : "false";
    if (kind <= 3) return std::to_string(static_cast<int>(Below(6)) - 1) + (Below(3) == 0 ? ".5" : "");
    if (kind <= 5) return '"' + Letters() + '"';
    const bool is_object = kind <= 8;
    std::string text = is_object ? "{" : "[";
    const std::uint32_t count = Below(5);
    const std::uint32_t first_key = Below(7);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i != 0) text += ", ";
      // Keys in one of many orders, none of them twice.
      if (is_object) text += std::string("\"") + "abcdefg"[(first_key + i * 3) % 7] + "\": ";
      text += Value(depth - 1);
    }
    return text + (is_object ? "}" : "]");
  }

 private:
  std::string Letters() {
    std::string letters;
    for (std::uint32_t n = Below(max_letters_ + 1); n > 0; --n) letters += "xy"[Below(2)];
    return Below(8) == 0 ? letters + "é" : letters;
  }

  std::mt19937 random_;
  std::uint32_t max_letters_;
};

// Returns a value as JSON with the keys of its objects, and the elements of its arrays unless they are to
// stay, in another order.
inline std::string Shuffled(const rapidjson::Value& value, RandomJson& random, bool keeps_elements = false) {
  std::vector<std::string> parts;
  if (value.IsObject()) {
    for (const auto& member : value.GetObject()) {
      parts.push_back("\"" + std::string(member.name.GetString()) +
                      "\":" + Shuffled(member.value, random, keeps_elements));
    }
  } else if (value.IsArray()) {
    for (const auto& element : value.GetArray()) parts.push_back(Shuffled(element, random, keeps_elements));
  } else {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    return buffer.GetString();
  }
  for (std::size_t i = keeps_elements && value.IsArray() ? 0 : parts.size(); i > 1; --i) {
    std::swap(parts[i - 1], parts[random.Below(static_cast<std::uint32_t>(i))]);
  }
  std::string json = value.IsObject() ? "{" : "[";
  for (std::size_t i = 0; i < parts.size(); ++i) json += (i == 0 ? "" : ",") + parts[i];
  return json + (value.IsObject() ? "}" : "]");
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_SCORERS_SCORE_TESTING_H_
