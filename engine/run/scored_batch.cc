#include "engine/run/scored_batch.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "engine/base/text_map.h"

namespace leafscore::internal {
namespace {

void PackTexts(const std::vector<std::string>& texts, PackedWriter& out) {
  out.Value<std::uint64_t>(texts.size());
  for (const std::string& text : texts) out.Text(text);
}

std::vector<std::string> UnpackTexts(PackedReader& in) {
  std::vector<std::string> texts;
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count)
    texts.emplace_back(in.Text());
  return texts;
}

// Calls visit(member) for each number in the totals of a batch.
template <class Totals, class Visit>
void ForEachTotal(Totals& totals, Visit visit) {
  visit(totals.records_read);
  visit(totals.rejected);
  visit(totals.nonstandard);
  visit(totals.duplicate_keys);
}

// Packs the hashes of the texts in all rows, and the other hashes of the few answers that earned little.
void PackHashes(const std::vector<PairHashes>& hashes, PackedWriter& out) {
  std::vector<std::uint64_t> texts;
  std::vector<std::uint64_t> answers;
  std::vector<std::uint64_t> low;  // a row and its other hashes
  for (std::size_t row = 0; row < hashes.size(); ++row) {
    const auto [text, answer, expected, actual] = hashes[row];
    texts.push_back(text);
    answers.push_back(answer);
    if (expected != 0 || actual != 0) low.insert(low.end(), {row, expected, actual});
  }
  out.Array(texts);
  out.Array(answers);
  out.Array(low);
}

// RETURNS: false for a row that is out of range.
bool UnpackHashes(PackedReader& in, std::vector<PairHashes>& hashes) {
  for (const std::uint64_t text : in.Array<std::uint64_t>()) hashes.push_back({.expected_text = text});
  const std::vector<std::uint64_t> answers = in.Array<std::uint64_t>();
  if (answers.size() != hashes.size()) return false;
  for (std::size_t row = 0; row < answers.size(); ++row) hashes[row].answer_text = answers[row];
  const std::vector<std::uint64_t> low = in.Array<std::uint64_t>();
  for (std::size_t i = 0; i + 3 <= low.size(); i += 3) {
    if (low[i] >= hashes.size()) return false;
    hashes[low[i]].expected = low[i + 1];
    hashes[low[i]].actual = low[i + 2];
  }
  return true;
}

void PackResults(const ResultRows& results, PackedWriter& out) {
  out.Value<std::uint64_t>(results.json_in_texts.size());
  for (const JsonInTexts& texts : results.json_in_texts) {
    out.Value(texts.parsed);
    out.Value(texts.as_texts);
  }
  out.Value<std::uint64_t>(results.raters.size());
  for (const RaterSums& raters : results.raters) {
    raters.models.Pack(out);
    raters.samples.Pack(out);
  }
  out.Value<std::uint64_t>(results.scores.size());
  for (const RecordScore& score : results.scores) {
    out.Values(score.score, score.outcome, score.reason, score.passed, score.nothing_compared,
               score.read_from_text, score.of_other_kind, score.unexpected_share, score.causes.bits(),
               score.remarks);
  }
  out.Array(results.fields);
  PackHashes(results.hashes, out);
  PackTexts(results.cells.names(), out);
  out.Value<std::uint64_t>(results.cells.size());
  std::vector<std::uint32_t> numbers;
  for (std::size_t row = 0; row < results.cells.size(); ++row) {
    numbers.clear();
    for (const auto& [scorer, field, counts] : results.cells.Of(row)) {
      for (const std::uint32_t number : {scorer, field, counts.right, counts.extra, counts.missing}) {
        numbers.push_back(number);
      }
    }
    out.Array(numbers);
  }
}

// RETURNS: false if a field has no name, or the number of a scorer is out of range.
bool UnpackCells(PackedReader& in, std::size_t scorers, CellRows& cells) {
  const std::vector<std::string> names = UnpackTexts(in);
  const auto rows = in.Value<std::uint64_t>();
  for (std::uint64_t row = 0; row < rows && in.good(); ++row) {
    const std::vector<std::uint32_t> numbers = in.Array<std::uint32_t>();
    cells.Resize(row + 1);
    for (std::size_t i = 0; i + 5 <= numbers.size(); i += 5) {
      if (numbers[i] >= scorers || numbers[i + 1] >= names.size()) return false;
      const CellCounts counts{numbers[i + 2], numbers[i + 3], numbers[i + 4]};
      cells.Add(row, numbers[i], {names[numbers[i + 1]], counts});
    }
  }
  return in.good();
}

bool UnpackResults(PackedReader& in, ResultRows& results) {
  results = {};
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    JsonInTexts& texts = results.json_in_texts.emplace_back();
    texts.parsed = in.Value<std::uint64_t>();
    texts.as_texts = in.Value<std::uint64_t>();
  }
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    RaterSums& raters = results.raters.emplace_back();
    raters.models = RatingSums::Unpack(in);
    raters.samples = RatingSums::Unpack(in);
  }
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    RecordScore& score = results.scores.emplace_back();
    score.score = in.Value<double>();
    score.outcome = in.Value<Outcome>();
    score.reason = in.Value<RejectReason>();
    score.passed = in.Value<std::int8_t>();
    score.nothing_compared = in.Value<bool>();
    score.read_from_text = in.Value<bool>();
    score.of_other_kind = in.Value<bool>();
    score.unexpected_share = in.Value<double>();
    score.causes = AnswerCauses::FromBits(in.Value<std::uint32_t>());
    score.remarks = in.Value<std::uint8_t>();
  }
  results.fields = in.Array<FieldOutcome>();
  return UnpackHashes(in, results.hashes) && UnpackCells(in, results.json_in_texts.size(), results.cells);
}

// Returns whether all values are within their ranges.
bool AreValid(const ResultRows& results) {
  return std::ranges::all_of(results.scores, [](const RecordScore& score) {
    return score.score >= 0 && score.score <= 1 && score.outcome <= Outcome::kNotAsked &&
           score.passed >= -1 && score.passed <= 1 && score.unexpected_share >= 0 &&
           score.unexpected_share <= 1 && (score.causes - kAllAnswerCauses).empty() &&
           RejectReasonName(score.reason) != "unknown";
  });  // for fields, any byte is valid: the index of a class
}

void PackIds(const RecordIds& ids, PackedWriter& out) {
  ids.ids.Pack(out);
  ids.expected.Pack(out);
  out.Value<std::uint64_t>(ids.each.size());
  for (std::size_t i = 0; i < ids.each.size(); ++i) {
    out.Values(ids.each.hashes[i], std::uint64_t{ids.each.ends[i]});
  }
  out.Text(ids.each.texts);
  out.Array(ids.without);
  out.Value<std::uint64_t>(ids.unnumbered.size());
  for (const UnnumberedValue& value : ids.unnumbered) {
    out.Value(value.row);
    out.Value(value.expected.high);
    out.Value(value.expected.low);
  }
}

// RETURNS: false if the ids are not within their texts.
bool UnpackIds(PackedReader& in, RecordIds& ids) {
  ids = {.ids = MultisetHash(in), .expected = MultisetHash(in), .each = {}, .without = {}, .unnumbered = {}};
  std::size_t end = 0;
  bool good = true;
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    const auto hash = in.Value<std::uint64_t>();
    const std::size_t begin = std::exchange(end, in.Value<std::uint64_t>());
    good = good && begin <= end;
    ids.each.hashes.push_back(hash);
    ids.each.ends.push_back(end);
  }
  ids.each.texts = in.Text();
  ids.each.rise = false;  // unknown here
  ids.without = in.Array<std::uint64_t>();
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    UnnumberedValue& value = ids.unnumbered.emplace_back();
    value.row = in.Value<std::uint64_t>();
    value.expected = {in.Value<std::uint64_t>(), in.Value<std::uint64_t>()};
  }
  return good && end <= ids.each.texts.size();
}

void PackPresence(const FieldPresence& presence, PackedWriter& out) {
  out.Value(presence.records);
  out.Array(presence.found);
  PackTexts(presence.there, out);
}

FieldPresence UnpackPresence(PackedReader& in) {
  FieldPresence presence;
  presence.records = in.Value<std::uint64_t>();
  presence.found = in.Array<std::uint64_t>();
  presence.there = UnpackTexts(in);
  return presence;
}

}  // namespace

void ScoredBatch::ForgetResults() {
  ScoredBatch without;
  without.batch = std::move(batch);
  without.is_numbered = is_numbered;
  without.in_parts = in_parts;
  without.live_bytes = live_bytes;
  without.input_bytes = input_bytes;
  without.input_ended = input_ended;
  without.input_checksum = std::move(input_checksum);
  // Recreate the batch: a member that is assigned an empty string keeps its memory, and the next record would
  // have less.
  std::destroy_at(this);
  std::construct_at(this, std::move(without));
}

void FindGroups(std::size_t fields, ScoredBatch& scored) {
  BatchGroups& distinct = scored.distinct_groups;
  distinct.values.clear();
  distinct.of_records.assign(scored.groups.size(), BatchGroups::kNone);
  TextMap<std::string_view, std::uint32_t> numbers;
  for (std::size_t field = 0; field < fields; ++field) {
    numbers.clear();
    for (std::size_t g = field; g < scored.groups.size(); g += fields) {
      const std::string_view text = scored.groups[g];
      if (text.data() == nullptr) continue;
      const auto [found, is_new] =
          numbers.try_emplace(text, static_cast<std::uint32_t>(distinct.values.size()));
      if (is_new) distinct.values.push_back({field, text});
      distinct.of_records[g] = found->second;
    }
  }
}

void PackBatch(const ScoredBatch& scored, PackedWriter& out) {
  out.Value(scored.batch.input);
  out.Value<std::uint64_t>(scored.batch.records.size());
  out.Value(scored.batch.first_record_in_run);
  out.Value(scored.input_bytes);
  out.Value(scored.input_ended);
  out.Text(scored.input_checksum);
  PackResults(scored.results, out);
  out.Value<std::uint64_t>(scored.groups.size());
  for (const std::string_view group : scored.groups) {
    out.Value(group.data() != nullptr);
    out.Text(group);
  }
  out.Array(scored.gold);
  out.Value(scored.without_gold.count);
  PackTexts(scored.without_gold.first, out);
  PackIds(scored.ids, out);
  PackPresence(scored.presence, out);
  out.Value<std::uint64_t>(scored.paths.size());
  for (const FieldPresence& paths : scored.paths) PackPresence(paths, out);
  ForEachTotal(scored.totals, [&](std::uint64_t total) { out.Value(total); });
}

bool UnpackBatch(PackedReader& in, ScoredBatch& scored) {
  scored.batch.input = in.Value<std::uint32_t>();
  const auto records = in.Value<std::uint64_t>();
  scored.batch.first_record_in_run = in.Value<std::uint64_t>();
  scored.input_bytes = in.Value<std::uint64_t>();
  scored.input_ended = in.Value<bool>();
  scored.input_checksum = in.Text();
  if (!UnpackResults(in, scored.results)) return false;
  scored.groups.clear();
  scored.group_texts.clear();
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    const bool has_group = in.Value<bool>();
    const std::string_view text = in.Text();
    scored.groups.push_back(has_group ? std::string_view(scored.group_texts.emplace_back(text))
                                      : std::string_view());
  }
  scored.gold = in.Array<std::uint32_t>();
  scored.without_gold.count = in.Value<std::uint64_t>();
  scored.without_gold.first = UnpackTexts(in);
  if (!UnpackIds(in, scored.ids)) return false;
  scored.presence = UnpackPresence(in);
  scored.paths.clear();
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    scored.paths.push_back(UnpackPresence(in));
  }
  ForEachTotal(scored.totals, [&](std::uint64_t& total) { total = in.Value<std::uint64_t>(); });
  if (!in.good() || records > scored.results.scores.size() || !AreValid(scored.results)) return false;
  scored.batch.records.assign(records, {});
  return true;
}

}  // namespace leafscore::internal
