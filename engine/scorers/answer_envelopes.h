// engine/scorers/answer_envelopes.h: removes what an answer has around the whole expected value, merges an
// answer that is in pieces, and renames keys that differ from the expected ones, before values are compared.
// (CellReader of `records` handles envelopes around single values.)
#ifndef LEAFSCORE_ENGINE_SCORERS_ANSWER_ENVELOPES_H_
#define LEAFSCORE_ENGINE_SCORERS_ANSWER_ENVELOPES_H_

#include <bitset>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/parsed_texts.h"

namespace leafscore::internal {

// The envelopes that answers may have around expected values, by number.
struct Envelope {
  enum : std::size_t {
    kSingle,    // a list of one object where an object is expected
    kValue,     // {value: ..., and data about it}
    kRows,      // a list where an object with one array of objects is expected
    kMerge,     // a list of objects where one object is expected
    kSidecars,  // X_citations and X_meta beside X
    kFoldKeys,  // keys that differ from the expected ones in case, blanks, hyphens, underscores
    kWrapper,   // an object whose only member is the answer, under a key that is not expected
  };
};
inline constexpr std::string_view kEnvelopeNames[] = {"single",   "value",     "rows",   "merge",
                                                      "sidecars", "fold_keys", "wrapper"};
using Envelopes = std::bitset<std::size(kEnvelopeNames)>;

// The envelopes around whole answers, and the option for scorers that remove only these.
inline constexpr std::string_view kWholeEnvelopeNames[] = {"single", "merge", "fold_keys", "wrapper"};
inline constexpr OptionSpec kUnwrapOption{
    "unwrap", "list of single, merge, fold_keys and wrapper", "none",
    "what answers may have around the expected value: single: a list around one object; merge: a list of "
    "objects with parts of it; fold_keys: keys in another case or with other separators; wrapper: an object "
    "with one other key"};

// Reads an option of the type of kUnwrapOption with these envelopes; returns `fallback` if it is not given.
// ERRORS: Error(kUsage) for an envelope that is not one of `names`.
Envelopes ReadUnwrap(const OptionReader& options, std::span<const std::string_view> names,
                     Envelopes fallback);

// Merges a list of objects into one object. Under each key, arrays are joined; otherwise, the value counts
// that is not null, blank or empty. RETURNS: nullopt if the value is not a list of objects, if two objects
// contradict each other (they have different values under one key, and both values count), or, with
// `of_arrays`, if no object contains an array.
std::optional<std::string> MergedDocuments(ValueRef list, const ShapeTable& shapes, bool of_arrays,
                                           PairWalker& walker);

// Returns an answer in which expected keys replace the keys that differ from them only in case, blanks,
// hyphens and underscores. A key stays if its object also has the expected key, or if several keys of either
// side would become the same key. All elements of the arrays at one place share their expected keys, and so
// do all values of a set of accepted values (accepted_values.h). RETURNS: nullopt if all keys stay.
std::optional<std::string> WithExpectedKeys(ValueRef expected, ValueRef actual, const ShapeTable& shapes,
                                            std::string_view any_of_key);

// THREADS: one at a time; each worker owns one.
class AnswerUnwrapper {
 public:
  // With `any_of_key`, the whole expected value may be a set of accepted values. REQUIRES: the text of
  // `any_of_key` outlives this.
  AnswerUnwrapper(Envelopes unwraps, WorkerTools tools, std::string_view any_of_key = {})
      : unwraps_(unwraps),
        any_of_key_(any_of_key),
        shapes_(tools.shapes),
        walker_(tools.shapes),
        rewritten_(tools) {}

  // Forgets the rewritten answers.
  void BeginBatch() { rewritten_.Truncate(0); }

  // Removes the envelopes that this unwrapper is made for. An answer that fits one of several accepted values
  // as it is keeps its envelopes. With the envelope `rows`, the answer may stand for one member of the
  // expected object; `member` is then set to that member. RETURNS: the envelopes that were removed.
  Envelopes Unwrap(ValueRef expected, ValueRef& actual, NodeId& member);

 private:
  bool UnwrapMember(ValueRef& actual) const;
  void UnwrapList(ValueRef expected, ValueRef& actual, NodeId& member, Envelopes& unwrapped);
  bool IsRow(ValueRef object, ValueRef expected, NodeId array) const;
  void Replace(ValueRef& actual, std::string json);

  Envelopes unwraps_;
  std::string_view any_of_key_;
  std::vector<ValueRef> accepted_;  // of the current record: the expected value, or the values in its set
  ShapeTable* shapes_;
  PairWalker walker_;
  ParsedTexts rewritten_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ANSWER_ENVELOPES_H_
