// What single damages look like; pair_generator_test.cc checks whole corpora.
#include "corpus/damage.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "corpus/profiles.h"

namespace leafscore::internal::corpus {
namespace {

constexpr int kTrials = 5000;

bool IsStrictJson(const std::string& json) {
  rapidjson::Document document;
  return !document.Parse<rapidjson::kParseValidateEncodingFlag>(json.data(), json.size()).HasParseError();
}

std::string QuotedString(const std::string& text) {
  std::string json;
  AppendJson(json, {JsonKind::kString, {}, text, {}}, {});
  return json;
}

TEST(DamageNumber, StaysANumberAndMakesEverySlip) {
  Random random(7, 0);
  std::set<std::string> seen;
  for (int i = 0; i < kTrials; ++i) {
    const std::string damaged = DamageNumber(random, "120.5");
    ASSERT_TRUE(IsStrictJson(damaged)) << damaged;
    seen.insert(damaged);
  }
  for (const char* slip : {"-120.5", "1205.0", "12.05", "120.50", "120.7", "920.5", "131.4"}) {
    EXPECT_TRUE(seen.contains(slip)) << slip;
  }
  for (const char* token : {"0", "0.0", "7", "-7", "0.05", "-0.5", "99999999"}) {
    for (int i = 0; i < kTrials; ++i) {
      const std::string damaged = DamageNumber(random, token);
      ASSERT_TRUE(IsStrictJson(damaged)) << token << " -> " << damaged;
    }
  }
}

TEST(DamageString, StaysUtf8AndMostlyDiffers) {
  Random random(7, 0);
  for (const std::string original : {"", "x", "é", "2024-03-31", "Anna Novák", "👩‍💻👍🏽",
                                     "東京 タワー", "INV-123", "שלום עולם"}) {
    int differing = 0;
    for (int i = 0; i < kTrials; ++i) {
      std::string text = original;
      DamageString(random, text);
      ASSERT_TRUE(IsStrictJson(QuotedString(text))) << original << " -> " << text;
      differing += text != original;
    }
    EXPECT_GT(differing, kTrials / 2) << original;
  }
}

TEST(DamageString, WritesDatesInOtherFormats) {
  Random random(7, 0);
  std::set<std::string> seen;
  for (int i = 0; i < kTrials; ++i) {
    std::string date = "2024-03-31T08:15:00Z";
    DamageString(random, date);
    seen.insert(date);
  }
  for (const char* date : {"03/31/2024", "31/03/2024", "31-Mar-2024", "Mar 31, 2024", "31.03.2024"}) {
    EXPECT_TRUE(seen.contains(date + std::string("T08:15:00Z"))) << date;
  }
}

TEST(DamageString, RewordsFreeTextInPlaces) {
  Random random(7, 0);
  std::string original;
  for (int i = 0; i < 60; ++i) original += "word" + std::to_string(i) + ' ';
  for (int i = 0; i < kTrials; ++i) {
    std::string text = original;
    DamageString(random, text);
    ASSERT_TRUE(IsStrictJson(QuotedString(text)));
    ASSERT_LT(std::abs(static_cast<double>(text.size()) - static_cast<double>(original.size())),
              static_cast<double>(original.size()));
  }
}

TEST(DamageValue, RateZeroChangesNothing) {
  for (std::uint64_t i = 0; i < 100; ++i) {
    Random random(7, i);
    JsonTree value = MakeDocument(Profile::kTickets, random);
    std::string before, after;
    AppendJson(before, value, {});
    DamageValue(random, 0, value);
    AppendJson(after, value, {});
    ASSERT_EQ(before, after);
  }
}

TEST(AppendRawAnswer, CutsFencesAndProse) {
  Random random(7, 0);
  const JsonTree document = MakeDocument(Profile::kInvoices, random);
  int cut = 0, fenced = 0, introduced = 0, refused = 0;
  for (int i = 0; i < kTrials; ++i) {
    std::string answer;
    AppendRawAnswer(random, document, answer);
    ASSERT_FALSE(IsStrictJson(answer)) << answer;
    ASSERT_TRUE(IsStrictJson(QuotedString(answer)));
    if (answer.starts_with("```json\n{") && answer.ends_with("}\n```")) {
      ++fenced;
    } else if (answer.starts_with('{')) {
      ++cut;
    } else if (answer.find('{') != std::string::npos) {
      ++introduced;
    } else {
      ++refused;
    }
  }
  EXPECT_GT(cut, kTrials / 2);
  EXPECT_GT(fenced, kTrials / 10);
  EXPECT_GT(introduced, kTrials / 30);
  EXPECT_GT(refused, kTrials / 30);
}

}  // namespace
}  // namespace leafscore::internal::corpus
