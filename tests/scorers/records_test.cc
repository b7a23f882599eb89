// The scorer `records`: its vectors, a slow and obvious reference, and what must hold whatever the values.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "engine/json/json_value.h"
#include "engine/scorers/records/tolerance.h"
#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

Plan PlanOf(const std::string& options) {
  return Plan::FromConfig("{\"evaluators\": [{\"type\": \"records\"" +
                          (options.empty() ? "" : ", " + options) + "}]}");
}

rapidjson::Document DetailsOfPair(const std::string& options, const std::string& expected,
                                  const std::string& actual, DetailLevel level = DetailLevel::kBasic) {
  return Parsed(ScoredPair(PlanOf(options), expected, actual, level).Details());
}

// Compares the fields of the details with a vector's map from path to {tp, fp, fn}. The reference of the
// vectors leaves out the defaults that stand in for cells, also where they match, which makes -1 of counts
// that are 0.
void ExpectFields(const rapidjson::Value& want, const rapidjson::Value& got, const std::string& what) {
  EXPECT_EQ(got.Size(), want.MemberCount()) << what;
  for (const rapidjson::Value& field : got.GetArray()) {
    const char* const path = field["path"].GetString();
    ASSERT_TRUE(want.HasMember(path)) << what << " " << path;
    for (const char* const count : {"tp", "fp", "fn"}) {
      EXPECT_EQ(field[count].GetInt(), std::max(0, want[path][count].GetInt()))
          << what << " " << path << " " << count;
    }
  }
}

void ExpectWanted(const rapidjson::Value& want, const rapidjson::Value& got, const std::string& what) {
  for (const auto& member : want.GetObject()) {
    const std::string name = member.name.GetString();
    ASSERT_TRUE(got.HasMember(name.c_str())) << what << " " << name;
    const rapidjson::Value& value = got[name.c_str()];
    if (name == "fields") {
      ExpectFields(member.value, value, what);
    } else if (member.value.IsBool()) {
      EXPECT_EQ(value.GetDouble(), member.value.GetBool() ? 1 : 0) << what << " " << name;
    } else if (member.value.IsNumber()) {
      EXPECT_NEAR(value.GetDouble(), member.value.GetDouble(), 1e-9) << what << " " << name;
    } else {
      EXPECT_EQ(value, member.value) << what << " " << name;
    }
  }
}

// Calls visit(case, options, expected, actual, want) for each vector of a revision. RETURNS: how many there
// are.
template <class Visit>
std::size_t ForEachVector(const std::string& revision, Visit visit) {
  std::ifstream lines(LEAFSCORE_TEST_DATA "/records.jsonl");
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line);) {
    JsonValue vector{JsonOptions()};
    const JsonView root = vector.Read(line);
    if (*root.Member("revision").Text() != revision) continue;
    ++seen;
    std::string options = "\"revision\": \"" + revision + "\"";
    const std::string config = *root.Member("config").Json();
    if (config != "{}") options += ", " + config.substr(1, config.size() - 2);
    if (const auto schema = root.Member("schema").Json()) options += ", \"schema\": " + *schema;
    visit(*root.Member("case").Text(), options, *root.Member("expected").Json(),
          *root.Member("actual").Json(), Parsed(*root.Member("want").Json()));
  }
  return seen;
}

TEST(Records, TolerancesAreDecidedAsTheNumbersAreWritten) {
  EXPECT_TRUE(IsWithinTolerance({0.3}, {0.1}, 0.2, /*relative=*/false));
  EXPECT_FALSE(IsWithinTolerance({0.3}, {0.1}, 0.19999999999999998, /*relative=*/false));
  EXPECT_TRUE(IsWithinTolerance({100}, {90}, 0.1, /*relative=*/true));
  EXPECT_FALSE(IsWithinTolerance({100}, {89.99999999999999}, 0.1, /*relative=*/true));
  // The tolerance of 0 has far fewer places than the numbers.
  EXPECT_TRUE(IsWithinTolerance({1e-50}, {1e-50}, 0, /*relative=*/false));
  EXPECT_FALSE(IsWithinTolerance({1e-50}, {1.0000000000000002e-50}, 0, /*relative=*/false));
}

TEST(Records, AllVectorsOfItsOwnRules) {
  const auto check = [](const std::string& name, const std::string& options, const std::string& expected,
                        const std::string& actual, const rapidjson::Document& want) {
    const rapidjson::Document got = DetailsOfPair(options, expected, actual);
    EXPECT_STREQ(got["pairing"].GetString(), "exact");
    ExpectWanted(want, got, name);
  };
  EXPECT_EQ(ForEachVector("seed", check), 164u);
}

TEST(Records, AllVectorsOfAnlsStar) {
  const auto check = [](const std::string& name, const std::string& options, const std::string& expected,
                        const std::string& actual, const rapidjson::Document& want) {
    const ScoreColumns scores = Runner(PlanOf(options)).ScorePair(expected, actual)[0];
    EXPECT_EQ(scores.outcome[0], Outcome::kScored) << name;
    EXPECT_NEAR(scores.score[0], want["score"].GetDouble(), 1e-9) << name;
  };
  EXPECT_EQ(ForEachVector("anls-star-1.0", check), 53u);
}

TEST(Records, AllVectorsOfOmniBench) {
  const auto check = [](const std::string& name, const std::string& options, const std::string& expected,
                        const std::string& actual, const rapidjson::Document& want) {
    const rapidjson::Document got = DetailsOfPair(options, expected, actual);
    EXPECT_STREQ(got["pairing"].GetString(), "exact");
    ExpectWanted(want, got, name);
  };
  EXPECT_EQ(ForEachVector("omni-0.1", check), 76u);
}

// The second byte of à and the space behind it were taken for one space.
TEST(Records, ASpaceBehindALetterOfTwoBytesStaysASpaceByAnlsStar) {
  const std::string evaluator = "type: records, revision: anls-star-1.0";
  EXPECT_EQ(ScoreOf(evaluator, R"({"a": "à la"})", R"({"a": "a la"})"), 0.75);
}

TEST(Records, AllVectorsOfExtractBench) {
  const auto check = [](const std::string& name, const std::string& options, const std::string& expected,
                        const std::string& actual, const rapidjson::Document& want) {
    ScoredPair pair(PlanOf(options), expected, actual, DetailLevel::kBasic);
    const bool compares_nothing = want.HasMember("outcome");
    EXPECT_EQ(pair.batch().nothing_compared().size(), compares_nothing ? 1u : 0u) << name;
    if (!compares_nothing) ExpectWanted(want, Parsed(pair.Details()), name);
  };
  EXPECT_EQ(ForEachVector("extractbench-2026-09", check), 259u);
}

TEST(Records, AllVectorsOfSob) {
  const auto check = [](const std::string& name, const std::string& options, const std::string& expected,
                        const std::string& actual, const rapidjson::Document& want) {
    const rapidjson::Document got = DetailsOfPair(options, expected, actual);
    ExpectWanted(want, got, name);
    const ScoreColumns scores = Runner(PlanOf(options)).ScorePair(expected, actual)[0];
    EXPECT_NEAR(scores.score[0], want["value_accuracy"].GetDouble(), 1e-9) << name;
  };
  EXPECT_EQ(ForEachVector("sob-2026-06", check), 25u);
}

TEST(Records, SobNeedsASchemaOfTheWholeAnswer) {
  EXPECT_NE(ConfigErrorOf("type: records, revision: sob-2026-06").find("needs the JSON Schema"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: records, revision: sob-2026-06, schema: {}, target_output_key: a")
                .find("compares whole answers"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: records, gate: text").find("only revision sob-2026-06"), std::string::npos);
}

TEST(Records, AnswersAreCheckedByTheSchema) {
  const std::string with_schema =
      "type: records, schema: {required: [a, b], properties: {a: {type: integer}, b: {type: string}}}";
  const ScoreColumns scores = Score(with_schema, R"({"a": 1, "b": "x"})", R"({"a": "1", "c": "x"})");
  EXPECT_EQ(MetricOf(scores, "valid"), 0);
  EXPECT_EQ(MetricOf(scores, "type_safety"), 0);
  EXPECT_EQ(MetricOf(scores, "required"), 0.5);
  EXPECT_EQ(MetricOf(Score(with_schema, R"({"a": 1, "b": "x"})", R"({"a": 1, "b": "x"})"), "valid"), 1);
  EXPECT_EQ(Score("type: records", "1", "1").metrics.size(), 10u);
}

TEST(Records, ListsThatTakeTooManyComparisonsByAnlsStarAreAnErrorOfTheRecord) {
  const auto list = [](int elements) {
    std::string json = "[1";
    for (int i = 1; i < elements; ++i) json += ",1";
    return json + "]";
  };
  // The lists themselves are compared as well.
  const std::string evaluator = "type: records, revision: anls-star-1.0";
  const ScoreColumns over = Score(evaluator, list(1 << 6), list(1 << 16));
  EXPECT_EQ(over.outcome[0], Outcome::kError);
  EXPECT_EQ(Score(evaluator, "[" + list(1 << 6) + "]", "[" + list(1 << 8) + "]").outcome[0],
            Outcome::kScored);
}

TEST(Records, ARevisionRefusesOptionsThatItHasNoUseFor) {
  for (const std::string revision : {"anls-star-1.0", "extractbench-2026-09"}) {
    EXPECT_NE(ConfigErrorOf("type: records, revision: " + revision + ", match_by: {r: [id]}")
                  .find("revision " + revision + " has no such option"),
              std::string::npos);
  }
}

// The rules once more, by trying every pairing.
struct AllPairings {
  struct Counts {
    int matched = 0;
    int expected = 0;
    int actual = 0;
  };

  static int CellsIn(const rapidjson::Value& value) {
    int cells = 0;
    if (value.IsObject()) {
      for (const auto& member : value.GetObject()) cells += CellsIn(member.value);
    } else if (value.IsArray()) {
      for (const auto& element : value.GetArray()) cells += CellsIn(element);
    } else {
      cells = !value.IsNull() && !(value.IsString() && value.GetStringLength() == 0);
    }
    return cells;
  }

  static int BestOfRows(const rapidjson::Value& e, const rapidjson::Value& a, rapidjson::SizeType row,
                        unsigned taken) {
    if (row == e.Size()) return 0;
    int best = BestOfRows(e, a, row + 1, taken);
    for (rapidjson::SizeType i = 0; i < a.Size(); ++i) {
      if ((taken >> i & 1) != 0) continue;
      best = std::max(best, Matched(e[row], a[i]) + BestOfRows(e, a, row + 1, taken | 1u << i));
    }
    return best;
  }

  static int Matched(const rapidjson::Value& e, const rapidjson::Value& a) {
    if (e.IsObject() && a.IsObject()) {
      int matched = 0;
      for (const auto& member : e.GetObject()) {
        if (a.HasMember(member.name)) matched += Matched(member.value, a[member.name]);
      }
      return matched;
    }
    if (e.IsArray() && a.IsArray()) return BestOfRows(e, a, 0, 0);
    if (e.IsNumber() && a.IsNumber()) return e.GetDouble() == a.GetDouble();
    return e.GetType() == a.GetType() && CellsIn(e) == 1 && !e.IsObject() && !e.IsArray() && e == a;
  }
};

TEST(Records, MatchesAsManyCellsAsTryingAllPairings) {
  RandomJson random(33);
  const Runner runner(PlanOf("\"unwrap\": []"));
  for (int i = 0; i < 10'000; ++i) {
    const std::string expected = random.Value(3);
    const std::string actual = random.Value(3);
    if (expected == "null" || actual == "null") continue;
    const rapidjson::Document e = Parsed(expected);
    const rapidjson::Document a = Parsed(actual);
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    ASSERT_EQ(scores.outcome[0], Outcome::kScored);
    ASSERT_EQ(MetricOf(scores, "expected_cells"), AllPairings::CellsIn(e)) << expected;
    ASSERT_EQ(MetricOf(scores, "actual_cells"), AllPairings::CellsIn(a)) << actual;
    ASSERT_EQ(MetricOf(scores, "matched"), AllPairings::Matched(e, a)) << expected << " " << actual;
  }
}

TEST(Records, OrderOfRowsAndKeysChangesNoFigure) {
  RandomJson random(34);
  const Runner runner(PlanOf(""));
  for (int i = 0; i < 2'000; ++i) {
    const std::string expected = random.Value(3);
    const std::string actual = random.Value(3);
    if (expected == "null" || actual == "null") continue;
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const ScoreColumns shuffled =
        runner.ScorePair(Shuffled(Parsed(expected), random), Shuffled(Parsed(actual), random))[0];
    ASSERT_EQ(scores.score[0], shuffled.score[0]) << expected << " " << actual;
    for (const Metric& metric : scores.metrics) {
      if (metric.name == "wrong" || metric.name == "missing" || metric.name == "extra") continue;  // may tie
      ASSERT_EQ(metric.values[0], MetricOf(shuffled, metric.name))
          << metric.name << expected << " " << actual;
    }
  }
}

TEST(Records, OrderOfKeysChangesNoFigureOfExtractBench) {
  RandomJson random(36);
  const auto check = [&](const std::string& name, const std::string& options, const std::string& expected,
                         const std::string& actual, const rapidjson::Document& /*want*/) {
    if (expected.size() > 20'000) return;
    const Runner runner(PlanOf(options));
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const ScoreColumns shuffled =
        runner.ScorePair(Shuffled(Parsed(expected), random, true), Shuffled(Parsed(actual), random, true))[0];
    for (const Metric& metric : scores.metrics) {
      EXPECT_EQ(metric.values[0], MetricOf(shuffled, metric.name)) << name << " " << metric.name;
    }
  };
  ForEachVector("extractbench-2026-09", check);
}

TEST(Records, PrecisionAndRecallSwapWithTheSides) {
  RandomJson random(35);
  const Runner runner(PlanOf("\"unwrap\": []"));
  for (int i = 0; i < 2'000; ++i) {
    const std::string expected = random.Value(3);
    const std::string actual = random.Value(3);
    if (expected == "null" || actual == "null") continue;
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const ScoreColumns swapped = runner.ScorePair(actual, expected)[0];
    ASSERT_EQ(MetricOf(scores, "precision"), MetricOf(swapped, "recall")) << expected << " " << actual;
    ASSERT_EQ(MetricOf(scores, "recall"), MetricOf(swapped, "precision")) << expected << " " << actual;
    ASSERT_EQ(scores.score[0], swapped.score[0]);
  }
}

TEST(Records, DetailsTellRowsFieldsAndCells) {
  const rapidjson::Document details = DetailsOfPair(
      "\"match_by\": {\"r\": [\"sku\"]}, \"normalise\": [\"space\", \"case\"]",
      R"({"r": [{"sku": "a", "q": 1}, {"sku": "b", "q": 2}], "n": "x"})",
      R"({"r": [{"sku": "B", "q": 3}, {"sku": "a", "q": 1}, {"sku": "c"}]})", DetailLevel::kLeaves);
  const rapidjson::Document want = Parsed(R"({
    "rows": [{"path": "r", "expected": 2, "actual": 3, "paired": 2, "joined": 2}],
    "fields": [{"path": "n", "tp": 0, "fp": 0, "fn": 1}, {"path": "r[*].q", "tp": 1, "fp": 1, "fn": 1},
               {"path": "r[*].sku", "tp": 2, "fp": 1, "fn": 0}],
    "leaves": [
      {"path": "r[0].sku", "actual_path": "r[1].sku", "verdict": "matched", "expected": "a", "actual": "a",
       "similarity": 1},
      {"path": "r[0].q", "actual_path": "r[1].q", "verdict": "matched", "expected": 1, "actual": 1, "similarity": 1},
      {"path": "r[1].sku", "actual_path": "r[0].sku", "verdict": "matched", "expected": "b", "actual": "B",
       "similarity": 1, "normalised": ["case"]},
      {"path": "r[1].q", "actual_path": "r[0].q", "verdict": "wrong", "expected": 2, "actual": 3, "similarity": 0},
      {"path": "r[2].sku", "verdict": "extra", "actual": "c", "similarity": 0},
      {"path": "n", "verdict": "missing", "expected": "x", "similarity": 0}]})");
  for (const char* const name : {"rows", "fields", "leaves"}) EXPECT_EQ(details[name], want[name]) << name;
}

TEST(Records, ToldWhichAcceptedValueWasTaken) {
  const rapidjson::Document details =
      DetailsOfPair("\"any_of_key\": \"$any\"", R"({"a": {"$any": ["red", "blue"]}})", R"({"a": "blue"})",
                    DetailLevel::kLeaves);
  EXPECT_EQ(details["leaves"][0]["alternative"].GetInt(), 2);
  EXPECT_EQ(details["fields"], Parsed(R"([{"path": "a", "tp": 1, "fp": 0, "fn": 0}])"));
}

TEST(Records, FurtherEnvelopesAreTakenOffWhereAskedFor) {
  const std::string rows = "\"unwrap\": [\"rows\"]";
  const std::string expected = R"({"r": [{"a": 1}, {"a": 2}], "n": 5})";
  const rapidjson::Document of_rows = DetailsOfPair(rows, expected, R"([{"a": 2}, {"a": 1}])");
  EXPECT_EQ(of_rows["matched"].GetInt(), 2);
  EXPECT_EQ(of_rows["missing"].GetInt(), 1);
  EXPECT_EQ(of_rows["unwrapped"], Parsed(R"(["rows"])"));
  EXPECT_EQ(DetailsOfPair("", expected, R"([{"a": 2}, {"a": 1}])")["matched"].GetInt(), 0);

  const std::string sidecars = "\"unwrap\": [\"sidecars\"]";
  const std::string answer = R"({"a": 1, "a_citations": [{"page": 1}], "b_meta": 2})";
  const rapidjson::Document dropped = DetailsOfPair(sidecars, R"({"a": 1})", answer);
  EXPECT_EQ(dropped["actual_cells"].GetInt(), 2);  // there is no b
  EXPECT_EQ(dropped["unwrapped"], Parsed(R"(["sidecars"])"));
  EXPECT_EQ(DetailsOfPair(sidecars, R"({"a": 1, "a_citations": []})", answer)["actual_cells"].GetInt(), 3);
  EXPECT_EQ(DetailsOfPair("", R"({"a": 1})", answer)["actual_cells"].GetInt(), 3);
}

TEST(Records, SeveralDocumentsBecomeOneWhereAskedFor) {
  const std::string expected = R"({"r": [{"a": 1}, {"a": 2}], "n": 5, "m": "x"})";
  const std::string answer =
      R"([{"r": [{"a": 2}], "n": null, "m": " "}, {"r": [{"a": 1}], "n": 5, "m": "x"}])";
  const rapidjson::Document merged = DetailsOfPair("\"unwrap\": [\"merge\"]", expected, answer);
  EXPECT_EQ(merged["perfect"].GetInt(), 1);
  EXPECT_EQ(merged["unwrapped"], Parsed(R"(["merge"])"));
  EXPECT_EQ(DetailsOfPair("", expected, answer)["matched"].GetInt(), 0);
  // Rows are rows unless they hold arrays.
  const std::string both = "\"unwrap\": [\"merge\", \"rows\"]";
  EXPECT_EQ(DetailsOfPair(both, expected, answer)["unwrapped"], Parsed(R"(["merge"])"));
  EXPECT_EQ(DetailsOfPair(both, expected, R"([{"a": 1}, {"a": 2}])")["unwrapped"], Parsed(R"(["rows"])"));
  EXPECT_EQ(DetailsOfPair(both, expected, "[1, 2]")["unwrapped"], Parsed(R"(["rows"])"));
}

TEST(Records, KeysAreFoldedToTheOnlyExpectedOneThatFits) {
  const std::string fold = "\"unwrap\": [\"fold_keys\"]";
  const std::string expected = R"({"line_items": [{"unit_price": 2}, {"SKU": "a"}], "total": 3})";
  const std::string answer = R"({"Line Items": [{"UnitPrice": 2}, {"sku": "a"}], "TOTAL": 3})";
  const rapidjson::Document details = DetailsOfPair(fold, expected, answer);
  EXPECT_EQ(details["perfect"].GetInt(), 1);
  EXPECT_EQ(details["unwrapped"], Parsed(R"(["fold_keys"])"));
  EXPECT_EQ(DetailsOfPair("", expected, answer)["matched"].GetInt(), 0);
  // Not where the expected key is there as well, nor where two keys would become one.
  EXPECT_EQ(DetailsOfPair(fold, R"({"total": 3})", R"({"total": 3, "Total": 4})")["extra"].GetInt(), 1);
  EXPECT_EQ(DetailsOfPair(fold, R"({"total": 3})", R"({"TOTAL": 3, "Total": 3})")["matched"].GetInt(), 0);
  EXPECT_EQ(DetailsOfPair(fold, R"({"a_b": 3, "ab": 4})", R"({"AB": 3})")["matched"].GetInt(), 0);
  EXPECT_EQ(DetailsOfPair(fold, R"({"total": 3})", R"({"total": 3})")["unwrapped"], Parsed("[]"));
}

TEST(Records, PassesByItsThreshold) {
  EXPECT_EQ(Score("type: records", R"({"a": 1, "b": 2})", R"({"a": 1, "b": 2})").passed[0], 1);
  EXPECT_EQ(Score("type: records", R"({"a": 1, "b": 2})", R"({"a": 1, "b": 3})").passed[0], 0);
  EXPECT_EQ(Score("type: records, threshold: 0.5", R"({"a": 1, "b": 2})", R"({"a": 1, "b": 3})").passed[0],
            1);
}

TEST(Records, OptionsOfASchemaHoldForItsPlaces) {
  const std::string schema =
      R"("schema": {"properties": {"r": {"type": "array", "x-leafscore": {"match_by": ["id"]}, "items":
         {"properties": {"id": {}, "note": {"x-leafscore": {"ignore": true}}, "p": {"x-leafscore": {"tolerance": 1}}}}},
         "t": {"prefixItems": [{}, {}]}}})";
  const rapidjson::Document details =
      DetailsOfPair(schema, R"({"r": [{"id": 1, "p": 5, "note": "x"}], "t": [1, 2]})",
                    R"({"r": [{"id": 1, "p": 5.5, "note": "y"}], "t": [2, 1]})");
  EXPECT_EQ(details["matched"].GetInt(), 2);
  EXPECT_EQ(details["expected_cells"].GetInt(), 4);
  EXPECT_EQ(details["rows"][0]["joined"].GetInt(), 1);
}

TEST(Records, MessagesSayWhatIsWrongWithOptions) {
  EXPECT_NE(ConfigErrorOf("type: records, fields: [{path: 'a['}]").find("is not a path pattern"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: records, normalise: [spaces]").find("did you mean \"space\"?"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: records, normalise: [{case: {}}]").find("has no options"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: records, unwrap: [merged]").find("unknown envelope"), std::string::npos);
  const std::string position = ConfigErrorOf("type: records, ignore_paths: 'r[0].a'");
  EXPECT_NE(position.find("\"r[0].a\" names a position"), std::string::npos) << position;
  EXPECT_NE(position.find("ignore_paths"), std::string::npos) << position;
  EXPECT_EQ(position.find("fields"), std::string::npos) << position;
  EXPECT_NE(ConfigErrorOf("type: records, schema: {$ref: '#/$defs/A'}").find("is not found"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: records, match_by: {r: []}").find("name at least one key"),
            std::string::npos);
}

// Returns the cells of a row of a table in Markdown, without the back quotes around code.
std::vector<std::string> CellsOfRow(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = line.find('|'); at != std::string::npos;) {
    const std::size_t end = line.find(" |", at + 1);
    if (end == std::string::npos) break;
    std::string cell = line.substr(at + 1, end - at - 1);
    cell.erase(0, std::min(cell.size(), cell.find_first_not_of(' ')));
    for (const std::string_view mark : {"`", "**"}) {
      if (cell.size() < 2 * mark.size() || !cell.starts_with(mark)) continue;
      cell = cell.substr(mark.size(), cell.size() - 2 * mark.size());
    }
    cells.push_back(cell);
    at = end + 1;
  }
  return cells;
}

TEST(Records, TheExamplesOfItsPageAreTrue) {
  std::ifstream page(LEAFSCORE_TEST_DATA "/../../docs/records.md");
  int examples = 0;
  bool in_examples = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) in_examples = line == "## Examples";
    if (!in_examples || !line.starts_with("| ") || line.starts_with("| what |")) continue;
    const std::vector<std::string> cells = CellsOfRow(line);
    ASSERT_EQ(cells.size(), 7u) << line;
    const ScoreColumns scores =
        Score("type: records" + (cells[1].empty() ? "" : ", " + cells[1]), cells[2], cells[3]);
    ASSERT_EQ(scores.outcome[0], Outcome::kScored) << line;
    EXPECT_NEAR(MetricOf(scores, "precision"), std::stod(cells[4]), 0.0005) << line;
    EXPECT_NEAR(MetricOf(scores, "recall"), std::stod(cells[5]), 0.0005) << line;
    EXPECT_NEAR(scores.score[0], std::stod(cells[6]), 0.0005) << line;
    ++examples;
  }
  EXPECT_GE(examples, 10);
}

// Rows that nest rows, in other order and with one wrong cell each.
TEST(Records, NestedRowsPairByWhatIsInThem) {
  std::string expected = R"({"claims": [)";
  std::string actual = R"({"claims": [)";
  constexpr int kClaims = 30;
  for (int c = 0; c < kClaims; ++c) {
    const auto claim = [](int number, bool wrong) {
      std::string json = R"({"kind": "A", "services": [)";
      for (int s = 0; s < 3; ++s) {
        const int place = wrong ? 2 - s : s;
        json += (s == 0 ? "" : ",") + std::string(R"({"code": )") + std::to_string(number * 10 + place) +
                R"(, "paid": )" + std::to_string(wrong && place == 1 ? -1 : place) + "}";
      }
      return json + "]}";
    };
    expected += (c == 0 ? "" : ",") + claim(c, false);
    actual += (c == 0 ? "" : ",") + claim(kClaims - 1 - c, true);
  }
  const ScoreColumns scores = Score("type: records", expected + "]}", actual + "]}");
  EXPECT_EQ(MetricOf(scores, "matched"), kClaims * 6);
  EXPECT_EQ(MetricOf(scores, "wrong"), kClaims);
}

}  // namespace
}  // namespace leafscore::internal
