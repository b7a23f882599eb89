// Two simple scorers of AssetOpsBench: numeric_match compares the first number of both texts;
// exact_string_match compares texts, ignoring case and white space.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/json/json_scalar.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kToleranceOption{
    "tolerance", "number", "0.01", "largest difference at which numbers match, relative to the larger one"};
constexpr OptionSpec kNumericMatchOptions[] = {kToleranceOption, kTargetOutputKeyOption,
                                               kDefaultExpectedOption};
constexpr OptionSpec kExactStringOptions[] = {kTargetOutputKeyOption, kDefaultExpectedOption};

bool IsDecimalDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the first number in a text: digits that may have a sign, a point and an exponent.
std::optional<double> FirstNumber(std::string_view text) {
  const auto digits_from = [&](std::size_t at) {
    while (at < text.size() && IsDecimalDigit(text[at])) ++at;
    return at;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = digits_from(at);
    const bool has_whole = end != at;
    if (end < text.size() && text[end] == '.' && digits_from(end + 1) != end + 1) {
      end = digits_from(end + 1);
    } else if (!has_whole) {
      continue;
    }
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
      const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
      if (const std::size_t last = digits_from(end + 1 + sign); last != end + 1 + sign) end = last;
    }
    const bool is_negative = at != 0 && text[at - 1] == '-';
    const double number = ParseNumber(text.substr(at, end - at));
    return is_negative ? -number : number;
  }
  return std::nullopt;
}

// Returns a text trimmed, with single blanks, in lower case.
std::string PlainText(std::string_view text) {
  std::string plain;
  text = StripSpace(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = SkipSpace(text, at);
    plain += end != at ? ' ' : text[at];
    at = end != at ? end : at + 1;
  }
  ToLowerCase(plain);
  return plain;
}

struct ReferenceSettings {
  PairSelectorOptions selection;
  bool compares_numbers;
  double tolerance;
};

class ReferenceBatch final : public SelectingBatch {
 public:
  ReferenceBatch(const ReferenceSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools), settings_(settings) {}

  // Text around the first number does not matter.
  AnswerCauses possible_causes() const override {
    const AnswerCauses causes = SelectingBatch::possible_causes();
    return settings_->compares_numbers ? causes - kCausesOfReading : causes;
  }

 private:
  void MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) override {
    expected_.clear();
    actual_.clear();
    selector_.AppendText(/*expected_side=*/true, TextForm::kCompactJson, expected_);
    selector_.AppendText(/*expected_side=*/false, TextForm::kCompactJson, actual_);
    bool matches = false;
    if (settings_->compares_numbers) {
      const std::optional<double> expected = FirstNumber(expected_);
      const std::optional<double> actual = FirstNumber(actual_);
      if (!expected || !std::isfinite(*expected)) {
        return SetRecordError(record, RejectReason::kInvalidExpectedJson,
                              expected ? "the number in the expected text is too large; give one below 1e308"
                                       : "the expected text has no number; exact_string_match compares texts",
                              columns_);
      }
      const double larger = std::max(std::abs(*expected), std::abs(actual.value_or(0)));
      matches =
          actual && std::isfinite(*actual) && std::abs(*expected - *actual) <= settings_->tolerance * larger;
    } else {
      matches = PlainText(expected_) == PlainText(actual_);
    }
    columns_.score[record] = matches;
    columns_.passed[record] = matches;
  }

  const ReferenceSettings* settings_;
  std::string expected_;
  std::string actual_;
};

std::unique_ptr<Scorer> MakeReference(const OptionReader& options, bool compares_numbers) {
  options.GetChoice(kRevisionOption.name, 0, kSeedRevisions);
  const double tolerance = compares_numbers ? options.GetNumber(kToleranceOption.name, 0.01, 0, 1) : 0;
  return std::make_unique<ConfiguredScorer<ReferenceBatch, ReferenceSettings>>(
      ReferenceSettings{PairSelectorOptions(options), compares_numbers, tolerance});
}

std::unique_ptr<Scorer> MakeNumericMatch(const OptionReader& options) {
  return MakeReference(options, /*compares_numbers=*/true);
}
std::unique_ptr<Scorer> MakeExactString(const OptionReader& options) {
  return MakeReference(options, /*compares_numbers=*/false);
}

}  // namespace

constinit const ScorerType kNumericMatchScorer = {
    "numeric_match",
    "whether the first numbers of both texts are within 1%",
    kNumericMatchOptions,
    MakeNumericMatch,
    {"For answers that are a number in a text. The score is 1 if the first numbers of both texts differ by "
     "at most 1%, or the tolerance, else 0.",
     "numeric_match", R"("about 250 km")", R"("It is 249 km.")", "", 1}};
constinit const ScorerType kExactStringMatchScorer = {
    "exact_string_match",
    "whether both texts are equal, ignoring case and white space",
    kExactStringOptions,
    MakeExactString,
    {"For texts whose case and white space do not matter. The score is 1 if both are otherwise equal, else "
     "0.",
     "exact_string_match", R"("Main  Street")", R"("main street")", "", 1}};

}  // namespace leafscore::internal
