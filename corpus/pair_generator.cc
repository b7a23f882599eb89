#include "corpus/pair_generator.h"

#include <algorithm>
#include <string_view>

#include "corpus/damage.h"
#include "corpus/text.h"

namespace leafscore::internal::corpus {
namespace {

constexpr std::string_view kIdPrefixes[] = {"inv-", "tkt-", "mul-", "txt-"};  // by Profile
constexpr std::string_view kModels[] = {"model-a", "model-b", "model-c"};

JsonStyle RandomStyle(Random& random) {
  JsonStyle style;
  if (random.OneIn(6)) style.layout = JsonLayout::kCompact;
  if (random.OneIn(3)) style.escaping = random.OneIn(3) ? Escaping::kSlashes : Escaping::kAscii;
  return style;
}

}  // namespace

// Scaling by a power of two is exact, so the probability is the same on every machine.
PairGenerator::PairGenerator(GeneratorOptions options)
    : profile_(options.profile),
      seed_(options.seed),
      error_rate_(static_cast<Probability>(options.error_rate * static_cast<double>(kCertain))) {}

void PairGenerator::AppendRecord(std::uint64_t index, std::string& out) const {
  const Profile profile = profile_ == Profile::kMixed ? static_cast<Profile>(index % 4) : profile_;
  const std::uint64_t model = index % 3;
  const Probability rate = std::min(error_rate_ * (model + 1) / 2, kCertain);

  Random random(seed_, index);
  const JsonStyle expected_style = RandomStyle(random);
  const JsonStyle actual_style = random.OneIn(8) ? RandomStyle(random) : expected_style;
  JsonTree value = MakeDocument(profile, random);

  JsonWriter json(out, expected_style.layout);
  json.StartObject();
  std::string id(kIdPrefixes[static_cast<std::size_t>(profile)]);
  AppendPadded(id, index + 1, 6);
  json.Key("id").String(id);
  json.Key("model").String(kModels[model]);
  AppendJson(json.Key("expected").RawValue(), value, expected_style);

  DamageValue(random, rate, value);
  json.Key("actual");
  if (random.Chance(rate / 2)) {
    std::string answer;
    AppendRawAnswer(random, value, answer);
    json.String(answer);
  } else {
    AppendJson(json.RawValue(), value, actual_style);
  }
  json.EndObject();
  out += '\n';
}

}  // namespace leafscore::internal::corpus
