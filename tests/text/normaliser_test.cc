#include "engine/text/normaliser.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/text/number_text.h"

namespace leafscore::internal {
namespace {

std::string NumberOf(std::string_view text, const NumberTextRules& rules = {}) {
  std::string token;
  return ReadNumberText(text, rules, token) ? token : "no number";
}

TEST(NumberText, ReadsWhatIsANumberAsAWhole) {
  EXPECT_EQ(NumberOf("1,240.00"), "1240");
  EXPECT_EQ(NumberOf(" $ 1,000 "), "1000");
  EXPECT_EQ(NumberOf("€5"), "5");
  EXPECT_EQ(NumberOf("5 EUR"), "5");
  EXPECT_EQ(NumberOf("USD5"), "5");
  EXPECT_EQ(NumberOf(".50"), "0.5");
  EXPECT_EQ(NumberOf("1.5e3"), "1500");
  EXPECT_EQ(NumberOf("12,34,567"), "1234567");
  EXPECT_EQ(NumberOf("1\u202f234,5"), "no number");
  EXPECT_EQ(NumberOf("0"), "0");
  EXPECT_EQ(NumberOf("0.0"), "0");
  EXPECT_EQ(NumberOf("12,345,678,901,234,567,890"), "12345678901234567890");
}

TEST(NumberText, TakesOneSign) {
  for (const std::string_view text : {"-5", "\u22125", "\u20135", "5-", "(5)", "-$5", "$-5", "($5)", "- 5"}) {
    EXPECT_EQ(NumberOf(text), "-5") << text;
  }
  EXPECT_EQ(NumberOf("+5"), "5");
  for (const std::string_view text : {"(-5)", "--5", "-5-", "+-5"})
    EXPECT_EQ(NumberOf(text), "no number") << text;
}

TEST(NumberText, LeavesIdentifiersAndWordsAlone) {
  for (const std::string_view text :
       {"007",   "5.",   "1,5", "12 5",   "1,2345", "NaN", "",   " ",         "$",   "()",
        "12 kg", "1.5B", "abc", "1,,000", "1,000,", "e5",  "1e", "1e9999999", "US5", "0,123"}) {
    EXPECT_EQ(NumberOf(text), "no number") << text;
  }
}

TEST(NumberText, FollowsItsRules) {
  EXPECT_EQ(NumberOf("12 %"), "12");
  EXPECT_EQ(NumberOf("12%", {.percent = PercentRule::kFraction}), "0.12");
  EXPECT_EQ(NumberOf("12%", {.percent = PercentRule::kRefuse}), "no number");
  EXPECT_EQ(NumberOf("1.5B", {.magnitudes = true}), "1500000000");
  EXPECT_EQ(NumberOf("1,500 Million", {.magnitudes = true}), "1500000000");
  EXPECT_EQ(NumberOf("3 lakh", {.magnitudes = true}), "300000");
  EXPECT_EQ(NumberOf("12 kg", {.units = {"g", "kg"}}), "12");
  EXPECT_EQ(NumberOf("1.240,5", {.decimal_comma = true}), "1240.5");
  EXPECT_EQ(NumberOf("1.5", {.decimal_comma = true}), "no number");
}

struct Normal {
  NormalForm form;
  std::string text;
  bool operator==(const Normal&) const = default;
};
void PrintTo(const Normal& normal, std::ostream* out) {
  *out << static_cast<int>(normal.form) << " " << normal.text;
}

Normal NormalOf(std::string_view text, std::initializer_list<NormaliserStep> steps) {
  NormaliserRules rules;
  for (const NormaliserStep step : steps) rules.Add(step);
  Normal normal;
  normal.form = Normaliser(rules).Text(text, normal.text);
  if (normal.form != NormalForm::kText && normal.form != NormalForm::kNumber) normal.text.clear();
  return normal;
}

TEST(Normaliser, TextsAreComposedWhateverTheSteps) {
  EXPECT_EQ(NormalOf("e\u0301", {}), (Normal{NormalForm::kText, "é"}));
  EXPECT_EQ(NormalOf("a  b", {}), (Normal{NormalForm::kText, "a  b"}));
  EXPECT_EQ(NormalOf(" \u00a0\u200b\ufeff", {}), (Normal{NormalForm::kNothing, ""}));
}

TEST(Normaliser, EachStepDoesWhatItsNameSays) {
  using Step = NormaliserStep;
  EXPECT_EQ(NormalOf(" a \n\u00a0b ", {Step::kSpace}).text, "a b");
  EXPECT_EQ(NormalOf("Straße", {Step::kCase}).text, "strasse");
  EXPECT_EQ(NormalOf("“it’s” – ok…", {Step::kTypography}).text, "\"it's\" - ok...");
  EXPECT_EQ(NormalOf("Müller Øst ﬁn", {Step::kAccents}).text, "Muller Øst fin");
  EXPECT_EQ(NormalOf("31-144 0073b", {Step::kIdentifier}).text, "311440073b");
  EXPECT_EQ(NormalOf("+1 (713) 372-2430", {Step::kPhone}).text, "7133722430");
  EXPECT_EQ(NormalOf("ext 12", {Step::kPhone}).text, "ext 12");
  EXPECT_EQ(NormalOf("P.O. Box, $7", {Step::kPunctuation, Step::kSpace}).text, "P O Box $7");
  EXPECT_EQ(NormalOf("item 5. ", {Step::kTerminalPunctuation}).text, "item 5");
  EXPECT_EQ(NormalOf("item 5..", {Step::kTerminalPunctuation}).text, "item 5.");
  EXPECT_EQ(NormalOf("3/5/2024", {Step::kDate}).text, "2024-03-05");
  EXPECT_EQ(NormalOf("$5", {Step::kNumber}), (Normal{NormalForm::kNumber, "5"}));
  EXPECT_EQ(NormalOf("Yes", {Step::kBoolean}).form, NormalForm::kTrue);
  EXPECT_EQ(NormalOf("no", {Step::kBoolean, Step::kNullFalse}).form, NormalForm::kNothing);
  EXPECT_EQ(NormalOf("0.0", {Step::kNumber, Step::kNullZero}).form, NormalForm::kNothing);
  EXPECT_EQ(NormalOf(" Not  Available ", {Step::kNullWords}).form, NormalForm::kNothing);
}

TEST(Normaliser, AStepThatWouldLeaveNothingIsNotApplied) {
  EXPECT_EQ(NormalOf("...", {NormaliserStep::kPunctuation}).text, "...");
  EXPECT_EQ(NormalOf("--", {NormaliserStep::kIdentifier}).text, "--");
  EXPECT_EQ(NormalOf(".", {NormaliserStep::kTerminalPunctuation}).text, ".");
}

TEST(Normaliser, KeepsOnlyWhatTextWouldNotChange) {
  NormaliserRules rules;
  rules.Add(NormaliserStep::kSpace);
  const Normaliser normaliser(rules);
  for (const std::string_view text : {"a b", "a", "a  b", " a", "a ", "", "\t", "é", "a-b"}) {
    std::string normal;
    const bool same = normaliser.Text(text, normal) == NormalForm::kText && normal == text;
    EXPECT_LE(normaliser.Keeps(text), same) << text;
  }
  EXPECT_TRUE(normaliser.Keeps("a b"));
}

TEST(Normaliser, OwnNullWordsReplaceTheUsualOnes) {
  NormaliserRules rules;
  rules.Add(NormaliserStep::kNullWords);
  rules.null_words = {"Nix"};
  std::string out;
  EXPECT_EQ(Normaliser(rules).Text("nix", out), NormalForm::kNothing);
  EXPECT_EQ(Normaliser(rules).Text("n/a", out), NormalForm::kText);
}

}  // namespace
}  // namespace leafscore::internal
