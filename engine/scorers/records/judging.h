// engine/scorers/records/judging.h: what a worker needs to judge records by one set of rules: the rules of
// the options, with or without a record's own schema. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_JUDGING_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_JUDGING_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/match/value_ids.h"
#include "engine/schema/schema_checker.h"
#include "engine/scorers/records/cell_columns.h"
#include "engine/scorers/records/place_tree.h"
#include "engine/scorers/records/record_judge.h"
#include "engine/scorers/records/record_rules.h"
#include "engine/scorers/records/similar_texts.h"

namespace leafscore::internal {

struct Judging {
  // Checks answers by `schema` unless it is null. REQUIRES: the rules and ids outlive this.
  Judging(const RecordRules* of_rules, std::shared_ptr<const JsonSchema> schema, WorkerTools tools,
          ValueIds* ids)
      : rules(of_rules),
        places(rules, tools.shapes),
        reader(rules, &places, ids),
        similar(&places, ids),
        judge(rules, tools, &places, ids, &reader, &similar) {
    if (schema != nullptr) checker.emplace(std::move(schema), tools.shapes);
  }
  Judging(const Judging&) = delete;  // its parts hold pointers to each other
  Judging& operator=(const Judging&) = delete;

  // Adds a record's own schema to the rules of the options. RETURNS: null if the schema is wrong; *fault then
  // says why.
  static std::unique_ptr<Judging> WithSchema(const RecordRules& rules, ValueRef schema, WorkerTools tools,
                                             ValueIds* ids, std::string* fault);

  // Forgets the shapes. With `all`, also forgets places and everything that depends on ids.
  void BeginBatch(bool all);

  std::unique_ptr<const RecordRules> own_rules;  // only with a record's own schema
  const RecordRules* rules;
  PlaceTree places;
  CellReader reader;
  SimilarTexts similar;
  RecordJudge judge;
  std::optional<SchemaChecker> checker;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_JUDGING_H_
