#include "engine/corpus/damage.h"

#include <utility>

#include "engine/base/utf8.h"
#include "engine/corpus/text.h"
#include "engine/corpus/text_damage.h"
#include "engine/corpus/word_lists.h"

namespace leafscore::internal::corpus {
namespace {

using Children = std::vector<JsonTree>;

Children::iterator RandomChild(Random& random, Children& children) {
  return children.begin() + static_cast<std::ptrdiff_t>(random.Below(children.size()));
}

void MakeNull(JsonTree& value) { value = {JsonKind::kNull, value.key, "null", {}}; }

void Wrap(JsonTree& value, JsonKind kind) {
  JsonTree inner = std::move(value);
  value = {kind, inner.key, {}, {}};
  inner.key = kind == JsonKind::kObject ? "value" : "";
  value.children.push_back(std::move(inner));
}

void DamageLeaf(Random& random, JsonTree& leaf) {
  switch (random.Below(16)) {
    case 0:
      return MakeNull(leaf);
    case 1:
      return Wrap(leaf, random.OneIn(2) ? JsonKind::kObject : JsonKind::kArray);
    case 2:
      leaf.kind = JsonKind::kString;  // the token as text: "12.5", "true", "null"
      return;
    default:
      break;
  }
  switch (leaf.kind) {
    case JsonKind::kString:
      return DamageString(random, leaf.text);
    case JsonKind::kNumber:
      leaf.text = DamageNumber(random, leaf.text);
      return;
    case JsonKind::kBool:
      leaf.text = leaf.text == "true" ? "false" : "true";
      return;
    default:
      leaf.kind = JsonKind::kString;
      leaf.text = random.Pick(kPlaceholders);
  }
}

// No document has keys of these names.
void AddExtraMember(Random& random, JsonTree& object) {
  switch (random.Below(3)) {
    case 0:
      return object.AddNumber("confidence", random.Between(50, 99), 2);
    case 1:
      return object.AddNumber("source_page", random.Between(1, 12));
    default:
      return object.AddString("explanation", Sentence(random));
  }
}

void DamageMembers(Random& random, Probability rate, JsonTree& object) {
  Children& members = object.children;
  if (random.Chance(rate / 2) && !members.empty()) members.erase(RandomChild(random, members));
  if (random.Chance(rate / 3)) AddExtraMember(random, object);
  if (random.Chance(rate / 2)) {
    for (std::uint64_t moves = random.Below(members.size() + 1); moves > 0; --moves) {
      std::swap(*RandomChild(random, members), members.front());
    }
  }
}

void DamageElements(Random& random, Probability rate, Children& elements) {
  if (elements.empty() || !random.Chance(rate)) return;
  const auto element = RandomChild(random, elements);
  switch (random.Below(3)) {
    case 0:
      elements.erase(element);
      break;
    case 1:
      elements.push_back(JsonTree(*element));
      break;
    default:
      std::swap(*element, elements.front());
  }
}

void CutAnywhere(Random& random, std::string& text) {
  text.resize(CodePointBegin(text, 1 + random.Below(text.size() - 1)));
}

}  // namespace

void DamageValue(Random& random, Probability rate, JsonTree& value) {
  if (!value.is_container()) {
    const bool is_free_text = value.text.size() >= kFreeTextBytes;
    if (random.Chance(is_free_text ? 3 * rate : rate)) DamageLeaf(random, value);
    return;
  }
  for (JsonTree& child : value.children) {
    DamageValue(random, rate, child);
    if (child.is_container() && random.Chance(rate / 20)) MakeNull(child);
  }
  if (value.kind == JsonKind::kObject) {
    DamageMembers(random, rate, value);
  } else {
    DamageElements(random, rate, value.children);
  }
}

void AppendRawAnswer(Random& random, const JsonTree& value, std::string& out) {
  std::string answer;
  AppendJson(answer, value,
             {random.OneIn(2) ? JsonLayout::kIndented : JsonLayout::kOneLine, Escaping::kMinimal});
  switch (random.Below(16)) {
    case 0:
      out += random.Pick(kRefusals);
      break;
    case 1:
      out += random.Pick(kIntroductions);
      out += answer;
      break;
    case 2:
    case 3:
    case 4:
      out += "```json\n";
      out += answer;
      out += "\n```";
      break;
    default:
      CutAnywhere(random, answer);
      out += answer;
  }
}

}  // namespace leafscore::internal::corpus
