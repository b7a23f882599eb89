// engine/schema/schema_checker.h: a schema with everything that a worker needs to check values against it.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCHEMA_SCHEMA_CHECKER_H_
#define LEAFSCORE_ENGINE_SCHEMA_SCHEMA_CHECKER_H_

#include <memory>
#include <utility>

#include "engine/schema/schema_fit.h"
#include "engine/schema/schema_validator.h"

namespace leafscore::internal {

struct SchemaChecker {
  // REQUIRES: the shapes outlive this.
  SchemaChecker(std::shared_ptr<const JsonSchema> compiled, ShapeTable* shapes)
      : schema(std::move(compiled)), validator(schema.get(), shapes), fit(schema.get(), shapes) {}

  // Forgets what it knows about shapes. REQUIRES: called whenever the table of shapes was cleared.
  void Reset() {
    validator.Reset();
    fit.Reset();
  }

  std::shared_ptr<const JsonSchema> schema;
  SchemaValidator validator;
  SchemaFitCounter fit;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_CHECKER_H_
