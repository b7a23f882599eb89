// What the vectors do not cover of field_accuracy, and the documented example as it is written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "run/run_testing.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

std::string Fields(const std::string& fields) { return "type: field_accuracy, fields: [" + fields + "]"; }

// Returns the score of one field, v, of two values.
double FieldScore(const std::string& rule, const std::string& expected, const std::string& actual) {
  return ScoreOf(Fields("{path: v, " + rule + "}"), "{\"v\": " + expected + "}", "{\"v\": " + actual + "}");
}

// Returns what is written about one field, v, of two values, from its verdict on.
std::string FieldDetails(const std::string& rule, const std::string& expected, const std::string& actual) {
  const std::string details = DetailsOf(Fields("{path: v, " + rule + "}"), "{\"v\": " + expected + "}",
                                        "{\"v\": " + actual + "}", DetailLevel::kLeaves);
  const std::string mark = "\"verdict\": ";
  const std::size_t begin = details.rfind(mark) + mark.size();
  return details.substr(begin, details.size() - begin - 3);
}

std::string UnreadableMessage(const std::string& evaluator, const std::string& expected,
                              const std::string& actual) {
  const ScoreColumns scores = Score(evaluator, expected, actual);
  if (scores.outcome[0] != Outcome::kUnreadable) return "not unreadable";
  EXPECT_TRUE(std::isnan(scores.score[0]));
  EXPECT_EQ(scores.passed[0], -1);
  EXPECT_EQ(scores.errors.at(0).reason, RejectReason::kInvalidActualJson);
  return scores.errors.at(0).message;
}

constexpr char kProposal[] = R"(evaluators:
  - name: invoice_field_check
    type: field_accuracy
    fields:
      - {path: invoice.total_amount, match: numeric_tolerance, tolerance: 0.01, required: true, weight: 1.0}
      - {path: invoice.invoice_date, match: date, formats: ["DD-MMM-YYYY", "YYYY-MM-DD", "MM/DD/YYYY"], required: true, weight: 0.5}
    aggregation: weighted_average
)";

TEST(FieldAccuracy, DocumentedExamples) {
  const Plan plan = Plan::FromConfig(kProposal);
  const std::string gold =
      R"({"invoice": {"total_amount": 1250.5, "invoice_date": "15-JAN-2025", "vendor_name": "Acme - Shipping"}})";
  const auto score = [&](const std::string& actual) {
    return Runner(plan).ScorePair(gold, actual)[0].score[0];
  };
  EXPECT_EQ(score(R"({"invoice": {"total_amount": 1250.5, "invoice_date": "2025-01-15"}})"), 1);
  EXPECT_EQ(score(R"({"invoice": {"total_amount": 1250.51, "invoice_date": "01/15/2025"}})"), 1);
  EXPECT_EQ(score(R"({"invoice": {"total_amount": 1251, "invoice_date": "15-JAN-2025"}})"), 0.5 / 1.5);
  EXPECT_EQ(score(R"({"invoice": {"invoice_date": "16-JAN-2025"}})"), 0);
  EXPECT_EQ(ScoreOf(Fields("{path: 'invoice.line_items[0].amount'}, {path: 'invoice.line_items[1].amount'}"),
                    R"({"invoice": {"line_items": [{"amount": 10.0}, {"amount": 20.0}]}})",
                    R"({"invoice": {"line_items": [{"amount": 10.0}, {"amount": 21.0}]}})"),
            0.5);
}

TEST(FieldAccuracy, NumbersAndNumericTexts) {
  const std::string rule = "match: numeric_tolerance, tolerance: 0.5";
  for (const std::string actual :
       {"3", "3.4", "\"3\"", "\" +3.0\\n\"", "\"3.\"", "\"30e-1\"", "\"\\u0033\""}) {
    EXPECT_EQ(FieldDetails(rule, "3", actual), R"("match", "score": 1, "weight": 1)") << actual;
  }
  EXPECT_EQ(FieldScore(rule, "0.25", "\".25\""), 1);
  EXPECT_EQ(FieldScore(rule, "-0.25", "\"-.25\""), 1);
  for (const std::string actual : {"\"3abc\"", "\"\"", "\"-\"", "\"+-3\"", "\"inf\"", "\"NaN\"", "\"0x3\"",
                                   "\"1,000\"", "true", "null", "[3]", "{}", "NaN", "Infinity"}) {
    EXPECT_EQ(FieldDetails(rule, "3", actual), R"("actual_not_a_number", "score": 0, "weight": 1)") << actual;
    EXPECT_EQ(FieldDetails(rule, actual, "3"), R"("expected_not_a_number", "score": 0, "weight": 1)")
        << actual;
  }
  EXPECT_EQ(FieldDetails(rule, "3", "4"), R"("outside_tolerance", "score": 0, "weight": 1)");
  EXPECT_EQ(FieldScore(rule, "1e-999", "\"0\""), 1);
  // What is beyond the range of double is not finite, in a text as well.
  for (const std::string infinite : {"1e999", "-1e999", "\"2e999\"", "\"Infinity\""}) {
    EXPECT_EQ(FieldDetails(rule, infinite, infinite), R"("expected_not_a_number", "score": 0, "weight": 1)");
    EXPECT_EQ(FieldDetails(rule, "3", infinite), R"("actual_not_a_number", "score": 0, "weight": 1)");
  }
}

TEST(FieldAccuracy, Dates) {
  EXPECT_EQ(FieldScore("match: date", "\"2025-01-15\"", "\"\\t15-JAN-2025 \""), 1);
  EXPECT_EQ(FieldDetails("match: date", "\"2025-01-15\"", "20250115"),
            R"("actual_not_a_date", "score": 0, "weight": 1)");
  EXPECT_EQ(FieldDetails("match: date", "\"2025-02-31\"", "\"2025-02-31\""),
            R"("expected_not_a_date", "score": 0, "weight": 1)");
  EXPECT_EQ(FieldDetails("match: date", "\"2025-02-03\"", "\"2025-02-04\""),
            R"("other_day", "score": 0, "weight": 1)");
  EXPECT_EQ(FieldScore("match: date, formats: DD/MM/YYYY", "\"2025-04-03\"", "\"03/04/2025\""), 1);
  EXPECT_EQ(FieldScore("match: date", "\"15-JAN-2025\"", "\"January 15, 2025\""), 1);
  EXPECT_EQ(FieldScore("match: date", "\"2025-01-15\"", "\"2025-01-15 10:20\""), 1);
}

TEST(FieldAccuracy, FuzzyTexts) {
  const std::string rule = "match: fuzzy, threshold: 0.75";
  EXPECT_EQ(FieldDetails(rule, "\"Acme\"", "\"Acne\""), R"("match", "score": 0.75, "weight": 1)");
  EXPECT_EQ(FieldDetails(rule, "\"Acme\"", "\"Anne\""), R"("below_threshold", "score": 0.5, "weight": 1)");
  EXPECT_EQ(FieldScore("match: fuzzy", "\"\"", "\"\""), 1);
  EXPECT_EQ(FieldScore("match: fuzzy", "\"Stra\\u00dfe\"", "\"Straße\""), 1);
  EXPECT_EQ(FieldScore(rule, "1234", "\"1235\""), 0.75);  // the text of what is no string
  // Jaro-Winkler's own example (Winkler 1990): 17/18 of Jaro, and three letters in common in front.
  const std::string jaro_winkler = "match: fuzzy, algorithm: jaro_winkler";
  EXPECT_NEAR(FieldScore(jaro_winkler, "\"MARTHA\"", "\"MARHTA\""), 17.0 / 18 + 3 * 0.1 / 18, 1e-12);
  EXPECT_EQ(FieldScore(jaro_winkler, "\"abc\"", "\"xyz\""), 0);
}

TEST(FieldAccuracy, FuzzyFieldsOfBothMeasuresInOneRecord) {
  const std::string fields = Fields(
      "{path: a, match: fuzzy}, {path: b, match: fuzzy, algorithm: jaro_winkler}, {path: c, match: fuzzy, "
      "weight: 2}");
  EXPECT_NEAR(ScoreOf(fields, R"({"a": "1234", "b": "MARTHA", "c": "ab"})",
                      R"({"a": "123x", "b": "MARHTA", "c": "ax"})"),
              (0.75 + 17.3 / 18 + 2 * 0.5) / 4, 1e-12);
}

TEST(FieldAccuracy, ArraysInOrder) {
  EXPECT_EQ(FieldScore("match: exact", "[1, 2]", "[2, 1]"), 0);
  EXPECT_EQ(FieldScore("match: numeric_tolerance, tolerance: 1", "[1, \"2\"]", "[2, 1]"), 1);
  EXPECT_EQ(FieldDetails("match: numeric_tolerance, tolerance: 1", "[1, 2, 3]", "[1, 2]"),
            R"("different", "score": 0, "weight": 1)");
  EXPECT_EQ(FieldScore("match: numeric_tolerance", "[1, true]", "[1, true]"), 0);
  EXPECT_EQ(FieldScore("match: date", "[\"2025-01-15\", \"2025-01-16\"]", "[\"15-JAN-2025\", \"1/16/2025\"]"),
            1);
  EXPECT_EQ(FieldScore("match: date", "[]", "[]"), 1);
  EXPECT_EQ(FieldDetails("match: fuzzy", "[\"ab\", \"cd\", \"ef\"]", "[\"ab\", \"cx\"]"),
            R"("below_threshold", "score": 0.5, "weight": 1)");
  EXPECT_EQ(FieldScore("match: fuzzy", "[]", "[]"), 1);
  EXPECT_EQ(FieldScore("match: fuzzy", "[\"a\"]", "[]"), 0);
}

TEST(FieldAccuracy, ExactArraysInAnyOrder) {
  const std::string rule = "match: exact, array_match: any_order";
  const auto equal = [&](const std::string& expected, const std::string& actual) {
    return FieldScore(rule, expected, actual) == 1;
  };
  EXPECT_TRUE(equal("[]", "[]"));
  EXPECT_TRUE(equal("[1, \"1\", null, true]", "[true, null, \"1\", 1.0]"));
  EXPECT_TRUE(equal("[0, 1]", "[1e0, -0.0]"));
  EXPECT_TRUE(equal("[\"\\u00e9\", \"b\"]", "[\"b\", \"é\"]"));
  EXPECT_TRUE(equal(R"([{"a": 1, "b": [2, 3]}, [4]])", R"([[4], {"b": [2, 3], "a": 1}])"));
  EXPECT_TRUE(equal("[[], {}, [[]]]", "[{}, [[]], []]"));
  EXPECT_FALSE(equal("[[], [{}]]", "[[], [[]]]"));
  EXPECT_FALSE(equal("[1, 1, 2]", "[1, 2, 2]"));
  EXPECT_FALSE(equal("[1, 2]", "[1, 2, 2]"));
  EXPECT_FALSE(equal("[[1, 2]]", "[[2, 1]]"));  // only the field's own elements
  EXPECT_FALSE(equal(R"([{"a": 1}])", R"([{"a": 1, "b": null}])"));
  EXPECT_FALSE(equal(R"([{"a": 1, "b": 2}])", R"([{"a": 2, "b": 1}])"));
  EXPECT_FALSE(equal("[\"null\"]", "[null]"));
  EXPECT_FALSE(equal("[1]", "1"));
  EXPECT_EQ(FieldDetails(rule, "[1, 2]", "[2, 1]"),
            R"("match", "score": 1, "weight": 1, "pairing": "exact")");
}

// Two arrays of random elements hold the same when each element occurs in both as often.
TEST(FieldAccuracy, AnyOrderAgreesWithCounting) {
  RandomJson random(1);
  const Plan plan = Plan::FromConfig("evaluators:\n- {" + Fields("{path: v, array_match: any_order}") +
                                     "}\n- {type: exact_match}\n");
  std::size_t equal = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::string> expected;
    for (std::uint32_t n = random.Below(5); n > 0; --n) expected.push_back(random.Value(2));
    std::vector<std::string> actual = expected;
    for (std::size_t k = actual.size(); k > 1; --k) {
      std::swap(actual[k - 1], actual[random.Below(static_cast<std::uint32_t>(k))]);
    }
    if (!actual.empty() && random.Below(2) == 0) actual[0] = random.Value(2);
    const auto array = [](const std::vector<std::string>& elements) {
      std::string text;
      for (const std::string& element : elements) text += (text.empty() ? "[" : ", ") + element;
      return text.empty() ? "[]" : text + "]";
    };
    // Takes away, for each expected element, one that exact_match calls equal.
    std::vector<std::string> left = actual;
    bool want = true;
    for (const std::string& e : expected) {
      const auto found = std::find_if(left.begin(), left.end(), [&](const std::string& a) {
        return Runner(plan).ScorePair("[" + e + "]", "[" + a + "]")[1].score[0] == 1;
      });
      want &= found != left.end();
      if (found != left.end()) left.erase(found);
    }
    const std::string e = "{\"v\": " + array(expected) + "}";
    const std::string a = "{\"v\": " + array(actual) + "}";
    EXPECT_EQ(Runner(plan).ScorePair(e, a)[0].score[0], want ? 1 : 0) << e << " " << a;
    equal += want;
  }
  EXPECT_GT(equal, 50u);
  EXPECT_LT(equal, 250u);
}

TEST(FieldAccuracy, NumbersAndDatesInAnyOrder) {
  const std::string rule = "match: numeric_tolerance, tolerance: 1, array_match: any_order";
  // 2 may go with 1 or 3, but 1 and 3 each need their own.
  EXPECT_EQ(FieldDetails(rule, "[2, 1, 3]", "[3.5, 2, 0.5]"),
            R"("match", "score": 1, "weight": 1, "pairing": "exact")");
  EXPECT_EQ(FieldDetails(rule, "[2, 1, 5]", "[3.5, 2, 0.5]"),
            R"("different", "score": 0, "weight": 1, "pairing": "exact")");
  EXPECT_EQ(FieldScore(rule, "[1, 2]", "[2, 1, 1]"), 0);
  EXPECT_EQ(FieldScore(rule, "[1, null]", "[null, 1]"), 0);
  EXPECT_EQ(FieldScore(rule, "[]", "[]"), 1);
  EXPECT_EQ(FieldScore("match: date, array_match: any_order", "[\"2025-01-15\", \"2025-01-16\"]",
                       "[\"1/16/2025\", \"15-JAN-2025\"]"),
            1);
}

TEST(FieldAccuracy, TextsInAnyOrder) {
  const std::string rule = "match: fuzzy, threshold: 0.5, array_match: any_order";
  EXPECT_EQ(FieldDetails(rule, R"(["ab", "cd", "ef"])", R"(["ex", "ab"])"),
            R"("match", "score": 0.5, "weight": 1, "pairing": "exact")");
  // The first in order that fits is not the best for all: "aaaa" must leave "aaab" to "aabb".
  EXPECT_EQ(FieldScore(rule, R"(["aaaa", "aabb"])", R"(["aaab", "aacc"])"), (0.75 + 0.5) / 2);
  EXPECT_EQ(FieldScore(rule, R"(["aa", "b"])", R"(["b", "aa"])"), 1);
  EXPECT_EQ(FieldScore(rule, "[]", R"(["a"])"), 0);
  EXPECT_EQ(FieldScore(rule, R"(["a"])", "[]"), 0);
  EXPECT_EQ(FieldScore(rule, "[]", "[]"), 1);
  EXPECT_NEAR(FieldScore(rule + ", algorithm: jaro_winkler", R"(["x", "MARTHA"])", R"(["MARHTA", "x"])"),
              (1 + 17.3 / 18) / 2, 1e-12);
}

// Numbers from 1 to n rotated by one: each fits only itself.
TEST(FieldAccuracy, LargeArraysSayHowTheyWerePaired) {
  const auto numbers = [](int count, int first, bool quoted) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(1000 + (first + i) % count);
      text += (i == 0 ? "" : ", ") + (quoted ? '"' + number + '"' : number);
    }
    return text + "]";
  };
  const auto details = [&](const std::string& match, int count) {
    const bool quoted = match == "fuzzy";
    return FieldDetails("match: " + match + ", array_match: any_order", numbers(count, 0, quoted),
                        numbers(count, 1, quoted));
  };
  for (const std::string match : {"numeric_tolerance", "fuzzy"}) {
    EXPECT_EQ(details(match, 256), R"("match", "score": 1, "weight": 1, "pairing": "exact")") << match;
    EXPECT_EQ(details(match, 257), R"("match", "score": 1, "weight": 1, "pairing": "greedy")") << match;
    EXPECT_EQ(details(match, 512), R"("match", "score": 1, "weight": 1, "pairing": "greedy")") << match;
  }
  EXPECT_EQ(details("numeric_tolerance", 513),
            R"("different", "score": 0, "weight": 1, "pairing": "in_order")");
  EXPECT_EQ(details("fuzzy", 513).substr(0, 17), R"("below_threshold")");
  EXPECT_TRUE(details("fuzzy", 513).ends_with(R"("pairing": "in_order")"));
  EXPECT_EQ(details("exact", 5000), R"("match", "score": 1, "weight": 1, "pairing": "exact")");
}

TEST(FieldAccuracy, LongTextsInArraysAreComparedInOrder) {
  const std::string rule = "match: fuzzy, threshold: 0, array_match: any_order";
  // One element against two: the texts of all pairs are 2 * 5 bytes and those of the long array.
  const auto pairing = [&](std::size_t all_bytes) {
    const std::size_t letters = all_bytes - 2 * 5 - std::string(R"(["",""])").size();
    const std::string details =
        FieldDetails(rule, "[\"x\"]", "[\"y\",\"" + std::string(letters - 1, 'y') + "\"]");
    return details.substr(details.rfind(' ') + 1);
  };
  EXPECT_EQ(pairing(4 << 20), "\"exact\"");
  EXPECT_EQ(pairing((4 << 20) + 1), "\"in_order\"");
}

TEST(FieldAccuracy, Aggregation) {
  const std::string fields = "{path: a, weight: 3}, {path: b, match: fuzzy, threshold: 0.5}";
  const std::string expected = R"({"a": 1, "b": "ab"})";
  const std::string actual = R"({"a": 1, "b": "ax"})";
  EXPECT_EQ(ScoreOf(Fields(fields), expected, actual), 3.5 / 4);
  EXPECT_EQ(ScoreOf(Fields(fields) + ", aggregation: all_or_nothing", expected, actual), 1);
  EXPECT_EQ(ScoreOf(Fields(""), expected, actual), 1);
  EXPECT_EQ(ScoreOf(Fields("") + ", aggregation: all_or_nothing", expected, actual), 1);
  EXPECT_EQ(ScoreOf(Fields("{path: a, weight: 0}"), expected, actual), 0);
  EXPECT_EQ(ScoreOf(Fields("{path: c, required: false}"), R"({"c": 1})", "{}"), 0);
}

TEST(FieldAccuracy, PassesAtTheThreshold) {
  const std::string fields = "{path: a}, {path: b}";
  const auto passed = [&](const std::string& more) {
    return Score(Fields(fields) + more, R"({"a": 1, "b": 2})", R"({"a": 1, "b": 3})").passed[0];
  };
  EXPECT_EQ(passed(""), 0);
  EXPECT_EQ(passed(", threshold: 0.5"), 1);
  EXPECT_EQ(passed(", threshold: 0.51"), 0);
}

TEST(FieldAccuracy, Paths) {
  const std::string value = R"({"a": [{"b": 1}], "0": {"1": 2}, "x.y": 3, "length": 4})";
  const auto found = [&](const std::string& path) {  // an expected value is there, and differs
    return ScoreOf(Fields("{path: '" + path + "'}"), value, R"({"a": [{"b": 9}], "0": {"1": 9}})") == 0;
  };
  for (const std::string path :
       {"a[0].b", "a.0.b", "a[00].b", "a..0.b", "[a][0]b", "0.1", "[0][1]", "length"}) {
    EXPECT_TRUE(found(path)) << path;
  }
  for (const std::string path : {"a[1].b", "a.b", "a[-1].b", "a.length", "x.y", "a[99999999999].b", "*"}) {
    EXPECT_FALSE(found(path)) << path;
  }
  EXPECT_EQ(ScoreOf(Fields("{path: '[1].a'}"), R"([0, {"a": 1}])", R"([0, {"a": 2}])"), 0);
}

TEST(FieldAccuracy, ReadsTheObjectInAText) {
  const std::string rule = Fields("{path: a}");
  const auto score = [&](const std::string& actual_text) {
    return ScoreOf(rule, R"({"a": 1})", actual_text);
  };
  EXPECT_EQ(score(R"("{\"a\": 1}")"), 1);
  EXPECT_EQ(score(R"("```json\n{\"a\": 1}\n```")"), 1);
  EXPECT_EQ(score(R"("```json\n{\"a\": 1}")"), 1);
  EXPECT_EQ(score(R"("Sure! {\"a\": 1} Anything else?")"), 1);
  // Braces in the words around: the fence decides.
  EXPECT_EQ(score(R"("Fill {a}:\n```\n{\"a\": 1}\n```\nor {b}")"), 1);
  // A fence inside a string of the object is text.
  EXPECT_EQ(score(R"("{\"code\": \"```{}```\", \"a\": 1}")"), 1);
  EXPECT_EQ(ScoreOf(rule, R"("the answer: {\"a\": 1}")", R"({"a": 1})"), 1);
  EXPECT_EQ(UnreadableMessage(rule, R"({"a": 1})", R"("none")"),
            "the actual value: the text contains no {...}");
  EXPECT_EQ(UnreadableMessage(rule, R"({"a": 1})", R"("} {")"),
            "the actual value: the text contains no {...}");
  EXPECT_EQ(UnreadableMessage(rule, R"({"a": 1})", R"("so: {a}")"),
            "the actual value: the outermost {...} of the text is not JSON: at byte 5, a key in double "
            "quotes is missing");
  EXPECT_EQ(UnreadableMessage(rule, R"({"a": 1})", R"("{a} ```{b}```")"),
            "the actual value: the outermost {...} of the text is not JSON: at byte 1, a key in double "
            "quotes is missing");
  EXPECT_EQ(ErrorOf(rule, R"("none")", R"({"a": 1})"),
            "error, invalid_expected_json: the expected value: the text contains no {...}");
  // What is neither an object nor a text has no fields.
  EXPECT_EQ(score("5"), 0);
  EXPECT_EQ(score("null"), 0);
}

TEST(FieldAccuracy, ReadsTheArrayInAText) {
  const std::string first = Fields("{path: '[0].a'}, {path: '[1]', required: false}");
  EXPECT_EQ(ScoreOf(first, R"([{"a": 1}])", R"("[{\"a\": 1}]")"), 1);
  EXPECT_EQ(ScoreOf(first, R"([{"a": 1}, 2])", R"("```json\n[{\"a\": 1}, 3]\n```")"), 0.5);
  EXPECT_EQ(ScoreOf(first, R"("[{\"a\": 1}, 2]")", R"(" [{\"a\": 2}, 2] ")"), 0.5);
  // Where no path begins with a position, an object is looked for first, as in the origin.
  const std::string named = Fields("{path: a}, {path: b}");
  EXPECT_EQ(ScoreOf(named, R"({"a": 1})", R"("[{\"a\": 1}]")"), 1);
  EXPECT_EQ(ScoreOf(named, R"({"a": 1})", R"("[1, 2]")"), 0.5);
  EXPECT_EQ(ScoreOf(named, R"({"a": 1})", R"("[{\"a\": 1}, {\"b\": 2}]")"), 0.5);
  EXPECT_EQ(UnreadableMessage(named, R"({"a": 1})", R"("[1, 2")"),
            "the actual value: the text contains no {...}");
  EXPECT_EQ(UnreadableMessage(named, R"({"a": 1})", R"("see [1]")"),
            "the actual value: the text contains no {...}");
}

TEST(FieldAccuracy, SelectsAPartAndADefault) {
  const std::string rule = Fields("{path: a}") + ", target_output_key: result";
  EXPECT_EQ(ScoreOf(rule, R"({"result": {"a": 1}})", R"({"result": "so {\"a\": 1}"})"), 1);
  const Plan plan =
      Plan::FromConfig("evaluators:\n- {" + Fields("{path: a}") + ", default_expected: {a: 1}}\n");
  const std::int32_t no_text[] = {0, 0};
  const std::int32_t one_text[] = {0, 8};
  const std::uint8_t null = 0;
  EXPECT_EQ(Runner(plan)
                .ScoreTexts(TextColumn("", no_text, &null), TextColumn(R"({"a": 1})", one_text))[0]
                .score[0],
            1);
  EXPECT_EQ(
      ConfigErrorOf(Fields("{path: a}") + ", target_output_key: [a, b]"),
      "config:2: scorer \"field_accuracy\" (field_accuracy): option \"target_output_key\": give one path; "
      "the fields name the places below it");
}

TEST(FieldAccuracy, Details) {
  const std::string rule = Fields(
      "{path: a}, {path: 'l[0]', match: fuzzy, weight: 2}, {path: c}, {path: d, required: false}, {path: e}");
  const std::string expected = R"({"a": 1, "l": ["ab"], "d": 4, "e": 5})";
  const std::string actual = R"({"a": 2, "l": ["ax"], "c": 3})";
  const std::string basic =
      R"({"hit_count": 2, "miss_count": 3, "true_positives": 0, "false_positives": 3, "false_negatives": 4, )"
      R"("true_negatives": 0, "hits": ["c", "d"], "misses": ["a", "l[0]", "e"], )"
      R"("miss_reasons": ["different", "below_threshold", "missing"])";
  EXPECT_EQ(DetailsOf(rule, expected, actual), basic + "}");
  EXPECT_EQ(
      DetailsOf(rule, expected, actual, DetailLevel::kLeaves),
      basic + R"(, "fields": [)"
              R"({"path": "a", "expected": 1, "actual": 2, "match": "exact", "verdict": "different", )"
              R"("score": 0, "weight": 1}, )"
              R"({"path": "l[0]", "expected": "ab", "actual": "ax", "match": "fuzzy", )"
              R"("verdict": "below_threshold", "score": 0.5, "weight": 2}, )"
              R"({"path": "c", "actual": 3, "match": "exact", "verdict": "no_expected", "score": 1, )"
              R"("weight": 1}, )"
              R"({"path": "d", "expected": 4, "match": "exact", "verdict": "optional_missing", "score": 1, )"
              R"("weight": 0}, )"
              R"({"path": "e", "expected": 5, "match": "exact", "verdict": "missing", "score": 0, )"
              R"("weight": 1}]})");
}

TEST(FieldAccuracy, WrongConfigurations) {
  const std::string owner = "config:2: scorer \"field_accuracy\" (field_accuracy)";
  EXPECT_EQ(ConfigErrorOf("type: field_accuracy"),
            owner + ": option \"fields\": give a list of fields such as {path: invoice.total, match: exact}");
  EXPECT_EQ(ConfigErrorOf("type: field_accuracy, fields: a"),
            owner + ": option \"fields\": give a list of fields such as {path: invoice.total, match: exact}");
  EXPECT_EQ(ConfigErrorOf(Fields("{path: a}, b")), owner + ", field 2 must be a map, but it is \"b\"");
  EXPECT_EQ(
      ConfigErrorOf(Fields("{path: a, wieght: 2}")),
      owner +
          ", field 1: unknown option \"wieght\"; did you mean \"weight\"? valid: path, match, required, "
          "weight, array_match, tolerance, relative, formats, algorithm, threshold, normalise");
  for (const std::string field : {"{match: exact}", "{path: ''}", "{path: '..[]'}"}) {
    EXPECT_EQ(ConfigErrorOf(Fields(field)),
              owner +
                  ", field 1: option \"path\": it names no place; write it like invoice.total or "
                  "items[0].name");
  }
  EXPECT_EQ(ConfigErrorOf(Fields("{path: a, match: exakt}")),
            owner +
                ", field 1: option \"match\": unknown value \"exakt\"; did you mean \"exact\"? valid: exact, "
                "numeric_tolerance, date, fuzzy");
  EXPECT_EQ(ConfigErrorOf(Fields("{path: a, weight: -1}")),
            owner + ", field 1: option \"weight\" must be a number from 0 to 1e+100, but it is \"-1\"");
  EXPECT_EQ(ConfigErrorOf(Fields("{path: a, required: maybe}")),
            owner + ", field 1: option \"required\" must be true or false, but it is \"maybe\"");
  EXPECT_EQ(ConfigErrorOf(Fields("{path: a, tolerance: 0.1}")),
            owner +
                ", field 1: option \"tolerance\": it is for match: numeric_tolerance, but the match of \"a\" "
                "is exact");
  EXPECT_EQ(
      ConfigErrorOf(Fields("{path: a, match: date, formats: [YYYY-MM-DD, MM/DD/YY]}")),
      owner +
          ", field 1: option \"formats\": unknown date format \"MM/DD/YY\"; did you mean \"MM/DD/YYYY\"? "
          "valid: YYYY-MM-DD, YYYY-MM-DDTHH:mm:ss, YYYY-MM-DDTHH:mm:ssZ, MM/DD/YYYY, MM-DD-YYYY, "
          "DD/MM/YYYY, DD-MM-YYYY, DD-MMM-YYYY");
  EXPECT_EQ(
      ConfigErrorOf(Fields("{path: a}") + ", aggregation: mean"),
      owner + ": option \"aggregation\": unknown value \"mean\"; valid: weighted_average, all_or_nothing");
}

TEST(FieldAccuracy, ErrorsNameTheLineOfTheField) {
  try {
    Plan::FromConfig("evaluators:\n- type: field_accuracy\n  fields:\n  - path: a\n  - match: date\n",
                     "c.yaml");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 9), "c.yaml:5:");
  }
}

class FieldAccuracyRun : public RunTest {};

TEST_F(FieldAccuracyRun, CountsWhatEachFieldDid) {
  const Plan plan =
      Plan::FromConfig("evaluators:\n- {" + Fields("{path: a}, {path: b, match: date}") + "}\n");
  const std::string input =
      R"({"expected": {"a": 1, "b": "2025-01-15"}, "actual": {"a": 1, "b": "1/15/2025"}})"  // tp tp
      "\n"
      R"({"expected": {"a": 1, "b": null}, "actual": {"a": 2, "b": " "}})"  // fp+fn tn
      "\n"
      R"({"expected": {"a": 1}, "actual": {"b": "2025-01-15"}})"  // fn fp
      "\n"
      R"({"expected": {"a": "", "b": "2025-01-15"}, "actual": "no answer"})"  // tn fn
      "\n"
      R"({"expected": {"a": 1, "b": 2}})"  // unanswered: fn fn
      "\n"
      "{broken\n";
  FileOptions options;
  options.batch_bytes = 64;
  FinishedRun run = RunText(plan, input, options);
  const std::vector<FieldCounts> counts = run.result.summary.Report().scorers[0].fields;
  ASSERT_EQ(counts.size(), 2u);
  const auto numbers = [](const FieldCounts& field) {
    return std::vector<std::uint64_t>{field.true_positives, field.false_positives, field.false_negatives,
                                      field.true_negatives};
  };
  EXPECT_EQ(counts[0].field, "a");
  EXPECT_EQ(numbers(counts[0]), (std::vector<std::uint64_t>{1, 1, 3, 1}));
  EXPECT_EQ(counts[1].field, "b");
  EXPECT_EQ(numbers(counts[1]), (std::vector<std::uint64_t>{1, 1, 2, 1}));
  const OutcomeCounts& outcomes = run.result.summary.Overall(0).counts();
  EXPECT_EQ(outcomes.scored, 3u);
  EXPECT_EQ(outcomes.unreadable, 1u);
  EXPECT_EQ(outcomes.unanswered, 1u);
  EXPECT_EQ(outcomes.errors, 1u);
  // 1, 0, and 0.5 for the field without expected.
  EXPECT_EQ(run.result.summary.Overall(0).Mean(Over::kScored), 1.5 / 3);
  EXPECT_EQ(run.result.summary.Overall(0).Mean(Over::kAll), 1.5 / 6);
  EXPECT_TRUE(run.lines.at(3).starts_with(
      R"({"id": 4, "id_from": "record", "scorer": "field_accuracy", "outcome": "unreadable", "reason": "invalid_actual_json", )"
      R"("message": "the actual value: the text contains no {...}", "causes": ["prose"], "file": ")"))
      << run.lines.at(3);
  // Batches of another size, and the public API, give the same.
  options.batch_bytes = 1 << 20;
  EXPECT_EQ(RunText(plan, input, options).summary, run.summary);
  options.inputs = {Input("again.jsonl", input)};
  const RunReport report = ScoreFiles(plan, options);
  ASSERT_EQ(report.scorers[0].fields.size(), 2u);
  EXPECT_EQ(numbers(report.scorers[0].fields[0]), numbers(counts[0]));
}

TEST_F(FieldAccuracyRun, TheFieldsOfAnAnswerWithoutTheTargetKeyAreMissing) {
  const Plan plan =
      Plan::FromConfig("evaluators:\n- {" + Fields("{path: a}, {path: b}") + ", target_output_key: r}\n");
  FileOptions options;
  options.inputs = {
      Input("in.jsonl",
            R"({"expected": {"r": {"a": 1, "b": 2}}, "actual": {"r": {"a": 1, "b": 3}}})"
            "\n"
            R"({"expected": {"r": {"a": 1}}, "actual": {"a": 1}})"  // unreadable
            "\n"
            R"({"expected": {"r": "no object"}, "actual": {"a": 1}})"  // an error: the gold's failure
            "\n")};
  const RunReport report = ScoreFiles(plan, options);
  ASSERT_EQ(report.scorers[0].fields.size(), 2u);
  const FieldCounts& a = report.scorers[0].fields[0];
  const FieldCounts& b = report.scorers[0].fields[1];
  EXPECT_EQ(a.true_positives, 1u);
  EXPECT_EQ(a.false_negatives, 1u);
  EXPECT_EQ(b.false_positives, 1u);
  EXPECT_EQ(b.false_negatives, 1u);
  EXPECT_EQ(b.true_negatives, 1u);
}

TEST(FieldAccuracy, NormalisedValuesAreEqualWhereTheStepsMakeThemOne) {
  const std::string steps = "type: field_accuracy, fields: [{path: a, normalise: [space, case, number]}]";
  EXPECT_EQ(ScoreOf(steps, R"({"a": "Acme  Inc"})", R"({"a": "ACME INC"})"), 1);
  EXPECT_EQ(ScoreOf(steps, R"({"a": ["$1,240.00", {"b": "x"}]})", R"({"a": [1240, {"b": "X"}]})"), 1);
  EXPECT_EQ(ScoreOf(steps, R"({"a": ["$1,240.00"]})", R"({"a": [1241]})"), 0);
  EXPECT_EQ(ScoreOf(steps, R"({"a": {"x": "same", "y": "B"}})", R"({"a": {"x": "same", "y": "b"}})"), 1);
  EXPECT_EQ(ScoreOf(steps, R"({"a": {"x": "same", "y": "B"}})", R"({"a": {"x": "same", "y": "c"}})"), 0);
  const auto date = [](const std::string& formats) {
    return ScoreOf(
        "type: field_accuracy, fields: [{path: a, normalise: [{date: {formats: [" + formats + "]}}]}]",
        R"({"a": "03/04/2026"})", R"({"a": "2026-04-03"})");
  };
  EXPECT_EQ(date("DD/MM/YYYY"), 1);
  EXPECT_EQ(date("MM/DD/YYYY"), 0);
  EXPECT_NE(ConfigErrorOf("type: field_accuracy, fields: [{path: a, normalise: [{date: {words: [none]}}]}]")
                .find("formats"),
            std::string::npos);
  EXPECT_EQ(ScoreOf(steps, R"({"a": "Acme Inc"})", R"({"a": "Acme, Inc"})"), 0);
  EXPECT_NE(ConfigErrorOf("type: field_accuracy, fields: [{path: a, match: date, normalise: [case]}]")
                .find("it is for match: exact"),
            std::string::npos);
  EXPECT_NE(
      ConfigErrorOf("type: field_accuracy, fields: [{path: a, array_match: any_order, normalise: [case]}]")
          .find("use records"),
      std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
