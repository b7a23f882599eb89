// engine/scorers/records/answer_envelopes.h: what answers put around the whole of what is expected, or say in
// pieces or under other keys, so that their JSON is written anew before it is compared. (Envelopes around
// single values are the CellReader's.)
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_

#include <optional>
#include <string>

#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/records/record_rules.h"

namespace leafscore::internal {

// Returns the one object that a list of objects makes up together: their arrays joined under each key, else
// the first value there that is not null, blank or empty. Nothing when it is no list of objects, or with
// `of_arrays` when none of them holds an array.
std::optional<std::string> MergedDocuments(ValueRef list, const ShapeTable& shapes, bool of_arrays);

// Returns an answer with the keys that are expected in place of those that differ from them in case, blanks,
// hyphens and underscores alone. A key stays where the object has the expected one as well, or where several
// keys of either side would become one. Nothing when all keys stay. Elements of all arrays at one place are
// expected to have the keys of any of them.
std::optional<std::string> WithExpectedKeys(ValueRef expected, ValueRef actual, const ShapeTable& shapes);

// THREADS: one at a time; each worker owns one.
class AnswerUnwrapper {
 public:
  AnswerUnwrapper(const RecordRules* rules, WorkerTools tools)
      : rules_(rules), shapes_(tools.shapes), rewritten_(tools) {}

  // Forgets the answers that were written anew.
  void BeginBatch() { rewritten_.Truncate(0); }

  // Takes the envelopes off an answer that the rules name. With `rows`, what is left is the value of one
  // member of the expected object, which `member` is set to. RETURNS: which ones there were.
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
