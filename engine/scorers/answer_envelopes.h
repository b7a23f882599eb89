// engine/scorers/records/answer_envelopes.h: removes what answers put around the whole expected value, or
// rewrites answers that are in pieces or use other keys, before they are compared. (CellReader handles
// envelopes around single values.)
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_

#include <optional>
#include <string>

#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/records/record_rules.h"

namespace leafscore::internal {

// Merges a list of objects into one object: their arrays are joined under each key; for other values, the
// first that is not null, blank or empty counts. RETURNS: nullopt if the value is not a list of objects, or
// with `of_arrays` if none of them contains an array.
std::optional<std::string> MergedDocuments(ValueRef list, const ShapeTable& shapes, bool of_arrays);

// Returns an answer in which expected keys replace the keys that differ from them only in case, blanks,
// hyphens and underscores. A key stays if the object also has the expected one, or if several keys of either
// side would become one. RETURNS: nullopt if all keys stay. The elements of all arrays at one place are
// expected to have the keys of any of them.
std::optional<std::string> WithExpectedKeys(ValueRef expected, ValueRef actual, const ShapeTable& shapes);

// THREADS: one at a time; each worker owns one.
class AnswerUnwrapper {
 public:
  AnswerUnwrapper(const RecordRules* rules, WorkerTools tools)
      : rules_(rules), shapes_(tools.shapes), rewritten_(tools) {}

  // Forgets the rewritten answers.
  void BeginBatch() { rewritten_.Truncate(0); }

  // Removes the envelopes of an answer that the rules name. With `rows`, the rest may be the value of one
  // member of the expected object; then `member` is set to it. RETURNS: the envelopes that it removed.
  Envelopes Unwrap(ValueRef expected, ValueRef& actual, NodeId& member);

 private:
  void UnwrapList(ValueRef expected, ValueRef& actual, NodeId& member, Envelopes& unwrapped);
  bool IsRow(ValueRef object, ValueRef expected, NodeId array) const;
  void Replace(ValueRef& actual, std::string json);

  const RecordRules* rules_;
  ShapeTable* shapes_;
  ParsedTexts rewritten_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_
