// engine/run/field_presence.h: which of the fields that a run looks at its records have, so that a field
// whose name was mistyped ends the run instead of giving each record an error, or all of them one group.
// THREADS: values; any number.
#ifndef LEAFSCORE_ENGINE_RUN_FIELD_PRESENCE_H_
#define LEAFSCORE_ENGINE_RUN_FIELD_PRESENCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// Of records that could be read.
struct FieldPresence {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> found;  // by field: how many of them have it
  // The fields of the first of them, paths into its objects and arrays included; known at least where a field
  // was found in none.
  std::vector<std::string> there;
};

// Adds what was found in later records.
void AddPresence(const FieldPresence& later, FieldPresence& presence);

// The same, row by row; `presence` may have no rows yet.
void AddPresence(const std::vector<FieldPresence>& later, std::vector<FieldPresence>& presence);

// Returns the fields of a value and of what is in it, level by level, three levels deep, at most 200; of an
// array those of its first element.
std::vector<std::string> ListFields(const LeafTable& table, const ShapeTable& shapes, NodeId record);

// A field that records are to have, and the option that names it.
struct WantedField {
  std::string name;
  std::string option;
  std::size_t number;  // in FieldPresence::found
};

// Returns those that no record has; none when there are no records.
std::vector<WantedField> AbsentFields(const FieldPresence& presence, std::span<const WantedField> wanted);

// Returns the fields that some record must have: those that were named, and those that nothing can be scored
// without. The first function is for the records (numbers as in BatchScorer::presence), the second for the
// gold.
std::vector<WantedField> WantedFields(const FileOptions& options, bool needs_expected);
std::vector<WantedField> WantedGoldFields(const FileOptions& options, bool needs_expected);

// ERRORS: Error(kInput) when no record has one of the fields, unless there are no records. It names them all,
//         with the nearest names and the fields that are there. `where` is as "no record of FILE", `remedy`
//         what comes last.
void CheckFieldsAreThere(const FieldPresence& presence, std::span<const WantedField> wanted,
                         const std::string& where, std::string_view remedy = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_FIELD_PRESENCE_H_
