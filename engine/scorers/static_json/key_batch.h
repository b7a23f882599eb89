// engine/scorers/static_json/key_batch.h: what the revisions of static_json share: both sides of a record as
// flat keys, the comparison of two leaves, and the details of keys. A revision decides what is compared and
// which figures result. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_BATCH_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/distance/similarity_pairs.h"
#include "engine/json/json_writer.h"
#include "engine/scorers/details_writer.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/scorers/static_json/flat_answer.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

// The details (`--details`) of answers that are compared key by key. Stateless.

// The result for a key.
struct KeyDetail {
  enum class Presence : std::uint8_t {
    kBoth,
    kMissing,
    kExtra,
    kJudgedWhole,  // by a rule of its own; these details keep their order
    kOnlyListed,   // not a detail, only one of the missing or extra keys
  };

  Presence presence = Presence::kBoth;
  Presence listed = Presence::kBoth;  // kMissing or kExtra: the key is also in the list of such keys
  bool exact = false;
  bool accepted = false;
  bool satisfied = false;
  bool numeric = false;
  std::optional<bool> range_match;
  std::optional<bool> delta_match;
  std::string_view match_type;  // static; if empty, it is derived from the similarity
  double similarity = 0;
  std::string key;
  std::string gold_value;
  std::string model_value;
};

// kAll also writes the members from `accepted` on.
enum class DetailMembers { kFew, kAll };

// RETURNS: the details of a record in report order: first the keys of both sides, then missing keys, then
// extra keys, each group sorted by text; last, the keys that were judged whole.
std::vector<KeyDetail> SortedKeyDetails(std::span<const KeyDetail> details);

// Writes how one side was read, as two members.
void WriteReading(std::string_view steps_key, std::string_view span_key, const AnswerSteps& steps,
                  JsonWriter& json);

// Writes the member `details`. A similarity above the threshold is called partial. REQUIRES: sorted details.
void WriteKeyDetails(std::span<const KeyDetail> details, double similarity_threshold, DetailMembers members,
                     DetailsWriter& json);

struct KeySettings {
  explicit KeySettings(const OptionReader& options);

  PairSelectorOptions selection;
  double similarity_threshold;
  bool levenshtein;
};

inline constexpr OptionSpec kSimilarityThresholdOption{
    "similarity_threshold", "number from 0 to 1", "0",
    "similarity above which the details call a value partial, and otherwise a mismatch"};
inline constexpr OptionSpec kStringSimilarityOption{
    "string_similarity", "jaccard or levenshtein", "jaccard",
    "similarity of two texts: by the sets of their characters, or by edit distance"};

// Share returns part / whole, or 0 if the whole is 0. F1 returns the harmonic mean of a precision and a
// recall.
inline double Share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }
inline double F1(double precision, double recall) {
  return Share(2 * precision * recall, precision + recall);
}

class KeyBatch : public SelectingBatch {
 public:
  // This scorer reads texts by rules of its own.
  AnswerCauses possible_causes() const override {
    return SelectingBatch::possible_causes() - kCausesOfReading;
  }
  void Reduce(const StringPairs& pairs) final;
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const final;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const final;

 protected:
  // `similarity` and `gold_keys` are indexes of metrics: the sum of the similarities, and the number of keys
  // by which this sum is divided. `members` are the members of a key's details.
  struct Layout {
    std::span<const std::string_view> metric_names;
    std::size_t similarity;
    std::size_t gold_keys;
    DetailMembers members;
  };
  // The text metrics of every revision. They come first.
  enum KeyListIndex : std::size_t { kMissingKeys, kExtraKeys };

  static constexpr std::uint32_t kNoPair = 0xffffffffu;
  static constexpr std::size_t kNoDetail = std::numeric_limits<std::size_t>::max();

  // The result of comparing two leaves.
  struct Comparison {
    bool exact;
    double similarity;             // 0 if it comes from a text pair
    std::uint32_t pair = kNoPair;  // index in the list of the similarity measure
    bool contained = false;        // one text contains the other
  };
  // How the two sides of a record were read.
  struct Reading {
    AnswerSteps gold;
    AnswerSteps model;
    std::uint32_t gold_repeated_keys = 0;
    std::uint32_t model_repeated_keys = 0;
  };

  KeyBatch(const KeySettings* settings, WorkerTools tools, const Layout& layout);

  FlatKeys& keys() { return flattener_.keys(); }
  void BeginBatch(std::uint32_t records) override;

  // Drops the keys and leaves of the previous record.
  void BeginRecord();

  Comparison CompareLeaves(const FlatLeaf& gold, const FlatLeaf& model, std::uint32_t record,
                           StringPairs& pairs) {
    if (gold.kind == model.kind && gold.token == model.token) return {true, 1.0};
    return CompareTexts(ComparedText(gold, gold_text_), ComparedText(model, model_text_), record, pairs);
  }
  // Compares the normalised texts of two leaves.
  Comparison CompareTexts(std::string_view gold, std::string_view model, std::uint32_t record,
                          StringPairs& pairs);

  // Keeps a detail, if details are kept and the record's limit allows it. RETURNS: its index, or kNoDetail.
  std::size_t AddDetail(KeyDetail detail);
  std::size_t AddDetail(KeyDetail::Presence presence, const FlatLeaf* gold, const FlatLeaf* model) {
    return keeps_details_ ? AddKeptDetail(presence, gold, model) : kNoDetail;
  }
  // If a comparison has a text pair, Reduce will take the similarity of the comparison, and of its detail,
  // from this pair.
  void AddTextPair(std::uint32_t record, const Comparison& comparison, std::size_t detail);

  std::span<const KeyDetail> DetailsOf(std::uint32_t record) const {
    const RecordDetails& of_record = record_details_[record];
    return std::span(details_).subspan(of_record.begin, of_record.end - of_record.begin);
  }
  // The details from index `first` on become the details of the record.
  void SetDetails(std::uint32_t record, std::size_t first) {
    record_details_[record] = {first, details_.size(), detail_bytes_ > max_details_bytes_};
  }

  const KeySettings* settings_;
  const Layout layout_;
  const bool keeps_details_;
  AnswerFlattener flattener_;
  FlatAnswer gold_;
  FlatAnswer model_;
  std::vector<double> settled_similarity_;  // for each record, the sum without its text pairs
  std::vector<Reading> readings_;           // for each record
  std::vector<KeyDetail> details_;
  std::string gold_text_;
  std::string model_text_;

 private:
  std::size_t AddKeptDetail(KeyDetail::Presence presence, const FlatLeaf* gold, const FlatLeaf* model);

  // A text pair of the batch, and where its similarity is stored.
  struct TextPair {
    std::uint32_t record;
    std::uint32_t pair;
    std::size_t detail;  // index into details_, or kNoDetail
    bool contained;
  };
  // The details of a record; some may have been left out.
  struct RecordDetails {
    std::size_t begin;
    std::size_t end;
    bool cut;
  };

  const std::size_t max_details_bytes_;
  SimilarityPairs jaccard_pairs_{SimilarityMeasure::kCharacterJaccard};
  std::vector<TextPair> text_pairs_;
  std::vector<RecordDetails> record_details_;
  std::size_t detail_bytes_ = 0;  // for the current record; may exceed the limit
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_BATCH_H_
