#include "engine/causes/cause_finder.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "engine/base/checksum.h"
#include "engine/causes/answer_texts.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_view.h"
#include "engine/languages/python_text.h"
#include "engine/match/deep_equal.h"
#include "engine/match/wrapped_value.h"
#include "engine/text/answer_scan.h"
#include "engine/text/lower_case.h"
#include "engine/text/normaliser.h"
#include "engine/text/text_sense.h"

namespace leafscore::internal {
namespace {

// A kind of difference counts as a cause if it has at least 1 / kPartsOfALoss of the leaves that the answer
// lost.
constexpr std::uint64_t kPartsOfALoss = 4;
constexpr std::ptrdiff_t kMinSentenceBlanks = 4;
constexpr std::uint32_t kMaxWrapperMembers = 16;
constexpr std::uint64_t kHashesOfANode = 8;
constexpr std::size_t kMaxBytes = 1 << 20;

constexpr std::size_t kMaxNumberBytes = 64;  // longer texts are not numbers or dates
bool IsText(ValueRef value) { return value.present() && IsString(value.kind()); }
bool IsNull(ValueRef value) { return !value.present() || value.kind() == ValueKind::kNull; }
bool HasChildren(ValueRef container) { return container.table->end(container.node) != container.node + 1; }

AnswerCause CauseOfProse(std::string_view text) {
  if (SoundsLikeRefusal(text)) return AnswerCause::kRefusal;
  return SoundsLikeFailure(text) ? AnswerCause::kFailure : AnswerCause::kProse;
}

std::uint64_t Nodes(ValueRef value) { return value.table->end(value.node) - value.node; }

std::string TextOf(ValueRef text) {
  std::string out;
  AppendStringText(*text.table, text.node, out);
  return out;
}

std::string FoldedKey(std::string_view key) {
  std::string folded(key);
  FoldCase(folded);
  std::erase_if(folded, [](char c) { return c == ' ' || c == '\t' || c == '_' || c == '-' || c == '.'; });
  return folded;
}

NormaliserRules RulesOfLetters() {
  NormaliserRules rules;
  for (const NormaliserStep step :
       {NormaliserStep::kTypography, NormaliserStep::kCase, NormaliserStep::kPunctuation,
        NormaliserStep::kTerminalPunctuation, NormaliserStep::kSpace}) {
    rules.Add(step);
  }
  return rules;
}

// Returns a hash of a text; 0 for a short text, because short texts may be equal by chance.
std::uint64_t HashOfText(std::string_view text) {
  constexpr std::size_t kMinBytes = 20;
  return text.size() < kMinBytes ? 0 : MultisetHash::HashOf(text);
}

// Returns a hash of an object or array; 0 unless at least 3 of its leaves are texts or numbers of at least 3
// bytes. The hash is the same in every process, because shards are merged.
std::uint64_t HashOfStructure(ValueRef value, const ShapeTable& shapes) {
  constexpr int kMinLeaves = 3;
  constexpr std::size_t kMinLeafBytes = 3;
  int leaves = 0;
  for (NodeId node = value.node; node != value.table->end(value.node) && leaves != kMinLeaves; ++node) {
    const ValueKind kind = value.table->kind(node);
    const bool can_tell = IsString(kind) || kind == ValueKind::kNumber;
    leaves += can_tell && value.table->leaf_token(node).size() >= kMinLeafBytes;
  }
  return leaves == kMinLeaves ? DeepHash(value, shapes, /*seed=*/0) : 0;
}

// Returns whether the first elements of two arrays are of the same kind; true if an array is empty.
bool HasLikeElements(ValueRef expected, ValueRef actual) {
  return !HasChildren(expected) || !HasChildren(actual) ||
         expected.table->kind(expected.node + 1) == actual.table->kind(actual.node + 1);
}

}  // namespace

CauseFinder::CauseFinder(ShapeTable* shapes, const JsonOptions& json)
    : shapes_(shapes),
      answer_reader_(shapes, json.max_depth),
      nested_reader_(shapes, json),
      letters_(RulesOfLetters()),
      walker_(shapes) {}

AnswerCauses CauseFinder::Find(ValueRef expected, ValueRef actual) {
  expected_hash_ = actual_hash_ = 0;
  const AnswerCauses causes = FindCauses(expected, actual);
  constexpr AnswerCauses kNoAnswer = {AnswerCause::kNoValue,  AnswerCause::kEmpty,  AnswerCause::kRefusal,
                                      AnswerCause::kFailure,  AnswerCause::kCutOff, AnswerCause::kProse,
                                      AnswerCause::kMalformed};
  if (!(causes & kNoAnswer).empty()) actual_hash_ = 0;
  return causes;
}

AnswerCauses CauseFinder::FindCauses(ValueRef expected, ValueRef actual) {
  if (IsNull(expected)) return {};
  if (expected.table->token(expected.node).size() > kMaxBytes) return {};
  if (actual.present() && actual.table->token(actual.node).size() > kMaxBytes) return {};
  if (IsStructure(expected)) expected_hash_ = HashOfStructure(expected, *shapes_);
  if (IsText(expected)) expected_hash_ = HashOfText(StripSpace(TextOf(expected)));
  if (IsNull(actual)) return {AnswerCause::kNoValue};
  if (IsText(actual)) return OfText(expected, TextOf(actual));
  if (IsRefusal(expected, actual)) return {AnswerCause::kRefusal};
  if (IsFailure(expected, actual)) return {AnswerCause::kFailure};
  return Compare(expected, actual);
}

bool CauseFinder::IsRefusal(ValueRef expected, ValueRef actual) const {
  const JsonView view(*actual.table, *shapes_, actual.node);
  return view.Member("refusal").IsText() && IsNull({actual.table, view.Member("content").node()}) &&
         !JsonView(*expected.table, *shapes_, expected.node).Member("refusal").present();
}

bool CauseFinder::IsFailure(ValueRef expected, ValueRef actual) const {
  constexpr std::string_view kErrorKeys[] = {"error", "errors", "message", "detail", "details"};
  constexpr std::string_view kOtherKeys[] = {
      "status",    "status_code", "statuscode",  "code",    "type", "title",     "param", "request_id",
      "requestid", "trace_id",    "retry_after", "success", "ok",   "timestamp", "path"};
  if (actual.kind() != ValueKind::kObject || ShareKeys(expected, actual)) return false;
  const JsonView view(*actual.table, *shapes_, actual.node);
  bool tells_error = false;
  bool tells_other = false;
  view.ForEachMember([&](std::string_view key, const JsonView& member) {
    std::string folded(key);
    FoldCase(folded);
    const bool is_told =
        member.IsText() ? !StripSpace(*member.Text()).empty() : member.Is(ValueKind::kObject);
    if (folded == "error" && is_told) tells_error = true;
    const bool is_of_error = std::ranges::find(kErrorKeys, folded) != std::end(kErrorKeys);
    tells_other |= !is_of_error && std::ranges::find(kOtherKeys, folded) == std::end(kOtherKeys);
  });
  const bool has_text = view.Member("message").IsText() || view.Member("detail").IsText();
  return tells_error || (has_text && !tells_other);
}

AnswerCauses CauseFinder::OfText(ValueRef expected, std::string_view text) {
  const std::string_view stripped = StripSpace(text);
  if (stripped.empty()) return {AnswerCause::kEmpty};
  if (IsStructure(expected)) {
    if (SenseOf(stripped) == TextSense::kFailure) return {AnswerCause::kFailure};
    AnswerCauses causes;
    const ValueRef inner = ReadStructure(expected, stripped, causes);
    if (!inner.present()) return causes;
    if (IsRefusal(expected, inner)) return {AnswerCause::kRefusal};
    if (IsFailure(expected, inner)) return {AnswerCause::kFailure};
    const AnswerCauses more = Compare(expected, inner);
    // Brackets of another kind in a text are not an answer.
    if (causes.Has(AnswerCause::kInProse) && more.Has(AnswerCause::kOtherKind))
      return {CauseOfProse(stripped)};
    return causes | more;
  }
  std::string wanted;
  AppendValueText(*expected.table, *shapes_, expected.node, wanted);
  // An expected refusal or error message says nothing about the answer.
  if (CauseOfProse(wanted) != AnswerCause::kProse) return {};
  actual_hash_ = HashOfText(stripped);
  if (SoundsLikeRefusal(stripped)) return {AnswerCause::kRefusal};
  // A sentence may be about failures without being one.
  const bool is_sentence = std::ranges::count(wanted, ' ') >= kMinSentenceBlanks;
  if (is_sentence ? SenseOf(stripped) == TextSense::kFailure : SoundsLikeFailure(stripped)) {
    return {AnswerCause::kFailure};
  }
  if (IsFenced(stripped, wanted)) return {AnswerCause::kFenced};
  if (const auto form = FormOf(wanted, stripped, !IsText(expected))) return {*form};
  std::string count;
  std::string_view number;
  if (expected.kind() == ValueKind::kNumber && FindCount(stripped, count, &number) &&
      ParseNumber(count) == ParseNumber(wanted)) {
    return {AnswerCause::kInProse};
  }
  if (StandsIn(std::string(stripped), wanted)) return {AnswerCause::kInProse};
  return {};
}

ValueRef CauseFinder::ReadStructure(ValueRef expected, std::string_view text, AnswerCauses& causes) {
  const std::string_view content = FindAnswerContent(text).text;
  const auto read = [&](std::string_view part) {
    answer_text_ = std::string(part);
    answer_reader_.Read(answer_text_, CountRule::kNone, answer_);
    return answer_.root != kNoNode && IsContainer(answer_.table.kind(answer_.root));
  };
  bool found = read(text);
  const std::size_t begin = BeginOfJson(content);
  if (begin != std::string_view::npos && !(found && !answer_.steps.balanced)) {
    // JSON that is cut off or broken may contain complete parts, but they are not the answer.
    const JsonEnd end = FindJsonEnd(content.substr(begin));
    if (end != JsonEnd::kClosed) {
      causes.Add(end == JsonEnd::kOpen ? AnswerCause::kCutOff : AnswerCause::kMalformed);
      return {};
    }
  }
  AnswerSteps steps = answer_.steps;
  if (steps.balanced || !found) {
    const auto read_part = [&](std::string_view part) { return read(part) && !answer_.steps.balanced; };
    const char first = expected.kind() == ValueKind::kObject ? '{' : '[';
    found = std::ranges::any_of(FindOuterBrackets(content, first), read_part) ||
            std::ranges::any_of(FindOuterBrackets(text, first), read_part);  // in a later fence
    steps.balanced = true;
    steps.rung = answer_.steps.rung;
  }
  if (found) {
    const bool has_fence = HasFence(text);
    if (steps.rung == AnswerRung::kPython || steps.rung == AnswerRung::kQuotes) {
      causes.Add(AnswerCause::kPythonLiteral);
    }
    if (has_fence) {
      causes.Add(AnswerCause::kFenced);
    } else if (steps.balanced || steps.label) {
      causes.Add(AnswerCause::kInProse);
    } else if (steps.rung == AnswerRung::kJson) {
      causes.Add(AnswerCause::kJsonText);
    }
    return {&answer_.table, answer_.root};
  }
  const AnswerCause prose = CauseOfProse(text);
  const bool looks_like_json = prose == AnswerCause::kProse && begin != std::string_view::npos;
  causes.Add(looks_like_json ? AnswerCause::kMalformed : prose);
  return {};
}

bool CauseFinder::ShareKeys(ValueRef expected, ValueRef actual) const {
  if (expected.kind() != ValueKind::kObject || actual.kind() != ValueKind::kObject) return false;
  const ShapeId from = expected.table->shape(expected.node);
  const ShapeId to = actual.table->shape(actual.node);
  const std::span members(shapes_->CorrespondingMembers(from, to), shapes_->member_count(from));
  if (std::ranges::any_of(members, [](std::uint32_t m) { return m != ShapeTable::kNoMember; })) return true;
  std::set<std::string> keys;
  for (const std::string_view key : shapes_->Keys(to)) keys.insert(FoldedKey(key));
  return std::ranges::any_of(shapes_->Keys(from),
                             [&](std::string_view key) { return keys.contains(FoldedKey(key)); });
}

ValueRef CauseFinder::Unwrap(ValueRef expected, ValueRef actual, AnswerCauses& causes) const {
  if (expected.kind() == ValueKind::kObject && actual.kind() == ValueKind::kArray && HasChildren(actual)) {
    const ValueRef only{actual.table, actual.node + 1};
    const bool is_one = actual.table->end(only.node) == actual.table->end(actual.node);
    if (!is_one || only.kind() != ValueKind::kObject) return actual;
    causes.Add(AnswerCause::kListOfOne);
    return only;
  }
  if (actual.kind() != ValueKind::kObject || ShareKeys(expected, actual)) return actual;
  if (shapes_->member_count(actual.table->shape(actual.node)) > kMaxWrapperMembers) return actual;
  // The one member that can be the answer, or the largest.
  ValueRef inner;
  std::uint32_t most_leaves = 0;
  std::size_t candidates = 0;
  std::size_t members = 0;
  JsonView(*actual.table, *shapes_, actual.node)
      .ForEachMember([&](std::string_view key, const JsonView& member) {
        const ValueRef value{actual.table, member.node()};
        ++members;
        if (!MayBeWrapped(key, member)) return;
        const bool fits = expected.kind() == ValueKind::kObject ? ShareKeys(expected, value)
                          : IsContainer(expected.kind())
                              ? value.kind() == expected.kind() && HasLikeElements(expected, value)
                              : !IsContainer(value.kind());
        if (!fits) return;
        const std::uint32_t leaves = value.table->leaf_count(value.node);
        if (candidates != 0 && leaves == most_leaves) ++candidates;
        if (candidates != 0 && leaves <= most_leaves) return;
        inner = value;
        most_leaves = leaves;
        candidates = 1;
      });
  if (candidates != 1 || (!IsContainer(expected.kind()) && members != 1)) return actual;
  causes.Add(AnswerCause::kWrapped);
  return inner;
}

AnswerCauses CauseFinder::Compare(ValueRef expected, ValueRef actual) {
  if (IsText(expected) && BeginOfJson(StripSpace(TextOf(expected))) == 0) return {};  // scorers may read it
  AnswerCauses causes;
  // Do this before the search for a wrapper, because the answer to another question may look like a wrapper.
  if (IsContainer(actual.kind())) actual_hash_ = HashOfStructure(actual, *shapes_);
  actual = Unwrap(expected, actual, causes);
  if ((IsContainer(expected.kind()) || IsContainer(actual.kind())) && expected.kind() != actual.kind()) {
    causes.Add(AnswerCause::kOtherKind);
    return causes;
  }
  if (IsContainer(actual.kind()) && !HasChildren(actual) && HasChildren(expected)) {
    causes.Add(AnswerCause::kEmpty);
    return causes;
  }
  leaves_ = {};
  work_left_ = kHashesOfANode * (Nodes(expected) + Nodes(actual));
  places_.assign(1, {expected, actual, false});
  while (!places_.empty()) {
    const Place place = places_.back();
    places_.pop_back();
    if (place.expected.kind() == ValueKind::kObject && place.actual.kind() == ValueKind::kObject) {
      CompareObjects(place);
    } else if (place.expected.kind() == ValueKind::kArray && place.actual.kind() == ValueKind::kArray) {
      CompareArrays(place);
    } else {
      CompareLeaves(place);
    }
  }
  const std::uint64_t lost = expected.table->leaf_count(expected.node) - leaves_.equal;
  const auto add_if = [&](AnswerCause cause, std::uint64_t leaves) {
    if (leaves != 0 && kPartsOfALoss * leaves >= lost) causes.Add(cause);
  };
  add_if(AnswerCause::kKeyNames, leaves_.renamed);
  add_if(AnswerCause::kReordered, leaves_.reordered);
  add_if(AnswerCause::kNumberForm, leaves_.number_form);
  add_if(AnswerCause::kDateForm, leaves_.date_form);
  add_if(AnswerCause::kLetterCase, leaves_.letter_case);
  add_if(AnswerCause::kNestedText, leaves_.nested_text);
  add_if(AnswerCause::kMissing, leaves_.missing);
  if (2 * leaves_.extra > actual.table->leaf_count(actual.node)) causes.Add(AnswerCause::kExtra);
  if (causes.empty() && leaves_.wrong == 1 && leaves_.equal != 0) causes.Add(AnswerCause::kNearMiss);
  return causes;
}

void CauseFinder::CompareObjects(const Place& place) {
  const LeafTable& e = *place.expected.table;
  const LeafTable& a = *place.actual.table;
  std::vector<ValueRef> members;
  ListChildren(place.actual, members);
  std::vector<bool> used(members.size());
  // Made when the first key is missing.
  std::vector<std::string_view> expected_keys;
  std::map<std::string, std::size_t> by_folded;
  const ShapeId from = e.shape(place.expected.node);
  const ShapeId to = a.shape(place.actual.node);
  const std::uint32_t* const corresponding = from == to ? nullptr : shapes_->CorrespondingMembers(from, to);
  NodeId child = place.expected.node + 1;
  for (std::uint32_t member = 0; child != e.end(place.expected.node); ++member) {
    const ValueRef value{place.expected.table, child};
    child = e.end(child);
    std::size_t at = corresponding == nullptr ? member : corresponding[member];
    bool renamed = place.renamed;
    if (at == ShapeTable::kNoMember) {
      if (expected_keys.empty()) {
        expected_keys = shapes_->Keys(from);
        for (std::size_t m = 0; const std::string_view key : shapes_->Keys(to)) {
          by_folded.emplace(FoldedKey(key), m++);
        }
      }
      const auto found = by_folded.find(FoldedKey(expected_keys[member]));
      if (found == by_folded.end() || used[found->second]) {
        leaves_.missing += e.leaf_count(value.node);
        continue;
      }
      at = found->second;
      renamed = true;
    }
    used[at] = true;
    places_.push_back({value, members[at], renamed});
  }
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (!used[m]) leaves_.extra += a.leaf_count(members[m].node);
  }
}

// Pairs equal elements, beginning with elements at the same place. Nested arrays are hashed again at every
// level, so the work has a limit. Beyond the limit, no elements count as equal.
std::vector<ValueRef> CauseFinder::TakeEqual(const Place& place, std::span<const ValueRef> expected,
                                             std::span<const ValueRef> actual, std::vector<bool>& used) {
  const std::uint64_t work = Nodes(place.expected) + Nodes(place.actual);
  if (work > work_left_) return {expected.begin(), expected.end()};
  work_left_ -= work;
  std::vector<std::uint64_t> hashes;
  for (const ValueRef element : actual) hashes.push_back(DeepHash(element, *shapes_));
  std::vector<std::pair<std::size_t, std::uint64_t>> elsewhere;     // and their hashes
  std::vector<std::size_t> places(expected.size(), actual.size());  // of the equal elements
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint64_t hash = DeepHash(expected[i], *shapes_);
    if (i >= actual.size() || hash != hashes[i]) {
      elsewhere.emplace_back(i, hash);
      continue;
    }
    used[i] = true;
    places[i] = i;
    (place.renamed ? leaves_.renamed : leaves_.equal) += expected[i].table->leaf_count(expected[i].node);
  }
  std::multimap<std::uint64_t, std::size_t> by_hash;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!used[i]) by_hash.emplace(hashes[i], i);
  }
  std::vector<ValueRef> unequal;
  std::uint64_t moved = 0;  // leaves
  for (const auto& [i, hash] : elsewhere) {
    const auto found = by_hash.find(hash);
    if (found == by_hash.end()) {
      unequal.push_back(expected[i]);
      continue;
    }
    moved += expected[i].table->leaf_count(expected[i].node);
    places[i] = found->second;
    used[found->second] = true;
    by_hash.erase(found);
  }
  // The equal elements are still in order if other elements were only added between them.
  std::erase(places, actual.size());
  (std::ranges::is_sorted(places) ? leaves_.equal : leaves_.reordered) += moved;
  return unequal;
}

void CauseFinder::CompareArrays(const Place& place) {
  std::vector<ValueRef> expected;
  std::vector<ValueRef> actual;
  ListChildren(place.expected, expected);
  ListChildren(place.actual, actual);
  std::vector<bool> used(actual.size());
  std::vector<ValueRef> unequal = TakeEqual(place, expected, actual, used);
  std::size_t next = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (used[i]) continue;
    if (next < unequal.size()) {
      places_.push_back({unequal[next++], actual[i], place.renamed});
    } else {
      leaves_.extra += actual[i].table->leaf_count(actual[i].node);
    }
  }
  for (; next < unequal.size(); ++next)
    leaves_.missing += unequal[next].table->leaf_count(unequal[next].node);
}

void CauseFinder::CompareLeaves(const Place& place) {
  const auto [expected, actual, renamed] = place;
  const std::uint64_t leaves = expected.table->leaf_count(expected.node);
  if (IsStructure(expected) || IsStructure(actual)) {
    if (IsNull(actual)) {
      leaves_.missing += leaves;
    } else if (IsStructure(expected) && IsText(actual)) {
      nested_text_ = TextOf(actual);
      nested_reader_.Begin(nested_text_, /*lines=*/false, &nested_table_);
      const NodeId root = nested_reader_.Read(0, static_cast<std::uint32_t>(nested_text_.size())).root;
      const bool is_nested = root != kNoNode && nested_table_.kind(root) == expected.kind();
      (is_nested ? leaves_.nested_text : leaves_.wrong) += leaves;
    } else {
      leaves_.wrong += leaves;
    }
    return;
  }
  const std::string_view expected_token = expected.table->leaf_token(expected.node);
  const std::string_view actual_token = actual.table->leaf_token(actual.node);
  if (IsText(expected) && IsText(actual) &&
      std::max(expected_token.size(), actual_token.size()) > kMaxNumberBytes &&
      DifferInLetters(expected_token.substr(0, expected_token.find('\\')),
                      actual_token.substr(0, actual_token.find('\\')))) {
    ++leaves_.wrong;
    return;
  }
  if (DeepEqual(expected, actual, walker_)) {
    ++(renamed ? leaves_.renamed : leaves_.equal);
    return;
  }
  if (IsNull(actual) || IsNull(expected)) {
    ++(IsNull(actual) ? leaves_.missing : leaves_.wrong);
    return;
  }
  if (!IsText(expected) && !IsText(actual)) {
    ++leaves_.wrong;
    return;
  }
  std::string first;
  std::string second;
  AppendValueText(*expected.table, *shapes_, expected.node, first);
  AppendValueText(*actual.table, *shapes_, actual.node, second);
  const auto form = FormOf(first, second, IsText(expected) != IsText(actual));
  ++(form == AnswerCause::kNumberForm   ? leaves_.number_form
     : form == AnswerCause::kDateForm   ? leaves_.date_form
     : form == AnswerCause::kLetterCase ? leaves_.letter_case
                                        : leaves_.wrong);
  leaves_.renamed += renamed && form;
}

std::optional<AnswerCause> CauseFinder::FormOf(std::string_view expected, std::string_view actual,
                                               bool of_two_kinds) const {
  if (std::max(expected.size(), actual.size()) <= kMaxNumberBytes) {
    if (AreOneNumber(expected, actual) || (of_two_kinds && AreOneFolded(expected, actual))) {
      return AnswerCause::kNumberForm;
    }
    if (AreOneDay(expected, actual)) return AnswerCause::kDateForm;
  }
  if (of_two_kinds) return std::nullopt;
  if (HasSigns(expected) || HasSigns(actual)) {
    return AreOneFolded(expected, actual) ? std::optional(AnswerCause::kLetterCase) : std::nullopt;
  }
  if (DifferInLetters(expected, actual)) return std::nullopt;
  std::string first;
  std::string second;
  letters_.Text(expected, first);
  letters_.Text(actual, second);
  for (std::string* const text : {&first, &second}) std::erase(*text, ' ');
  if (!first.empty() && first == second) return AnswerCause::kLetterCase;
  return std::nullopt;
}

}  // namespace leafscore::internal
