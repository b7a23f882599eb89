// engine/run/field_presence.h: finds out which of a run's fields exist in its records. So a mistyped
// field name ends the run, instead of giving each record an error or putting all records into one group.
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

// Counted over the records that could be read.
struct FieldPresence {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> found;  // indexed by field: how many records have it
  // The fields of the first of these records, including paths into its objects and arrays. Can be empty if
  // every wanted field was found in some record.
  std::vector<std::string> there;
};

// Adds the presence in later records.
void AddPresence(const FieldPresence& later, FieldPresence& presence);

// Adds the presence row by row; `presence` may still be empty.
void AddPresence(const std::vector<FieldPresence>& later, std::vector<FieldPresence>& presence);

// Returns the fields of a value and of the values in it, level by level: at most three levels, and at most
// 200 fields. In arrays, only the first element is listed.
std::vector<std::string> ListFields(const LeafTable& table, const ShapeTable& shapes, NodeId record);

// A field that records should have, and the option that names it.
struct WantedField {
  std::string name;
  std::string option;
  std::size_t number;  // index into FieldPresence::found
};

// Returns the wanted fields that no record has; empty if there are no records.
std::vector<WantedField> AbsentFields(const FieldPresence& presence, std::span<const WantedField> wanted);

// Return the fields that at least one record must have: the fields that the options name, and the fields that
// scoring needs. WantedFields is for the records, with numbers as in BatchScorer::presence; WantedGoldFields
// is for the gold.
std::vector<WantedField> WantedFields(const FileOptions& options, bool needs_expected);
std::vector<WantedField> WantedGoldFields(const FileOptions& options, bool needs_expected);
// Returns the fields that hold a record's answer and the calls of its run, as wanted fields with these
// numbers.
std::vector<WantedField> WantedAnswerFields(const FileOptions& options, std::size_t actual_number,
                                            std::size_t calls_number);

// Returns the end of a message, which says what to do about records that are output of another tool. Empty
// for other records.
std::string_view AdviceOn(const FieldPresence& presence);

// Checks that each field exists in at least one record, if there are records. `where` is for example "no
// record of FILE", and `remedy` is the end of the message.
// ERRORS: Error(kInput) that names all absent fields, the nearest name for each, and the existing fields.
void CheckFieldsAreThere(const FieldPresence& presence, std::span<const WantedField> wanted,
                         const std::string& where, std::string_view remedy = {});

// Checks the same while more records may come, but only fields whose names are close to existing ones. Such a
// name is probably mistyped.
void CheckNearFields(const FieldPresence& presence, std::span<const WantedField> wanted,
                     const std::string& where);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_FIELD_PRESENCE_H_
