// The published vectors of comparisons, plans and ranks: tests/data/compare_vectors.jsonl.
#ifndef LEAFSCORE_TESTS_STATISTICS_VERDICT_VECTORS_H_
#define LEAFSCORE_TESTS_STATISTICS_VERDICT_VECTORS_H_

#include <rapidjson/document.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/random.h"
#include "engine/statistics/paired_units.h"

namespace leafscore::internal {

// Returns the vectors of a kind.
inline std::vector<rapidjson::Document> VerdictVectors(std::string_view kind) {
  std::vector<rapidjson::Document> vectors;
  std::ifstream file(LEAFSCORE_TEST_DATA "/compare_vectors.jsonl");
  for (std::string line; std::getline(file, line);) {
    rapidjson::Document vector;
    vector.Parse<rapidjson::kParseFullPrecisionFlag>(line.c_str());
    if (vector["kind"].GetString() == kind) vectors.push_back(std::move(vector));
  }
  return vectors;
}

inline std::vector<double> NumbersOf(const rapidjson::Value& array) {
  std::vector<double> numbers;
  for (const auto& number : array.GetArray()) numbers.push_back(number.GetDouble());
  return numbers;
}

struct ScoreColumns {
  std::vector<double> base;
  std::vector<double> now;
};

// Draws the scores that a `generator` describes, in ten-thousandths: each kind draws its numbers in the order
// of the lines below.
inline ScoreColumns DrawScores(const rapidjson::Value& generator) {
  const std::string_view kind = generator["kind"].GetString();
  const std::int64_t drop = generator["drop"].GetInt64();
  SplitMix64 random(generator["seed"].GetUint64(), 0);
  const auto below = [&](std::uint64_t count) { return static_cast<std::int64_t>(random.Below(count)); };
  ScoreColumns scores;
  for (std::int64_t record = 0; record < generator["n"].GetInt64(); ++record) {
    std::int64_t base = 10000;
    std::int64_t now = 0;
    if (kind == "verdicts") {
      base = below(100) < 80 ? 10000 : 0;
      const std::int64_t turn = below(10000);
      now = base != 0 && turn < 500 + drop ? 0 : base == 0 && turn < 2000 ? 10000 : base;
    } else if (kind == "fine") {
      base = 6000 + below(3000);
      now = std::clamp<std::int64_t>(base + below(2001) - 1000 - drop, 0, 10000);
    } else if (kind == "crashes") {
      base = below(100) < 8 ? 0 : 9800 + below(201);
      now = below(10000) < 800 + drop ? 0 : 9800 + below(201);
    } else {  // rare
      now = below(10000) < drop ? 0 : 10000;
    }
    scores.base.push_back(static_cast<double>(base) / 10000);
    scores.now.push_back(static_cast<double>(now) / 10000);
  }
  return scores;
}

// Returns the scores of a vector of kind `compare`.
inline ScoreColumns ScoresOfVector(const rapidjson::Value& vector) {
  if (vector.HasMember("generator")) return DrawScores(vector["generator"]);
  return {NumbersOf(vector["base"]), NumbersOf(vector["now"])};
}

// Returns the units of a vector of kind `compare`: its records, or its clusters.
inline std::vector<Unit> UnitsOfVector(const rapidjson::Value& vector) {
  const ScoreColumns scores = ScoresOfVector(vector);
  std::vector<Unit> units;
  std::map<double, std::size_t> of_cluster;
  for (std::size_t i = 0; i < scores.base.size(); ++i) {
    double difference = scores.now[i] - scores.base[i];
    if (std::abs(difference) <= kScoreRounding) difference = 0;
    std::size_t unit = units.size();
    if (vector.HasMember("cluster")) {
      unit =
          of_cluster.try_emplace(vector["cluster"][static_cast<unsigned>(i)].GetDouble(), unit).first->second;
    }
    if (unit == units.size()) units.push_back({0, 0});
    units[unit].sum += difference;
    units[unit].count += 1;
  }
  return units;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_STATISTICS_VERDICT_VECTORS_H_
