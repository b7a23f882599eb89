// Fuzzes normalisers: what they make is valid UTF-8, a number is one in JSON, and a text that they keep by
// the quick check is its own canonical form. An input's first two bytes choose the steps; the text follows.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"
#include "engine/text/normaliser.h"
#include "fuzz/fuzz_check.h"

namespace leafscore::internal {
namespace {

void CheckNormaliser(std::uint32_t steps, std::string_view text) {
  NormaliserRules rules;
  rules.steps = steps & ((1u << kNormaliserSteps) - 1);
  rules.number.magnitudes = (steps & 0x8000) != 0;
  const Normaliser normaliser(rules);
  std::string made;
  const NormalForm form = normaliser.Text(text, made);
  if (form == NormalForm::kNumber) Check(ClassifyNumber(made) != TokenClass::kInvalid, "no number: " + made);
  if (form != NormalForm::kText) return;
  Check(FindInvalidUtf8(made) == made.size(), "no UTF-8");
  Check(!made.empty(), "an empty text");
  if (normaliser.Keeps(text)) Check(made == text, "it keeps what it changes");
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leafscore::internal;
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (FindInvalidUtf8(text) == text.size()) CheckNormaliser(data[0] | data[1] << 8u, text);
  return 0;
}
