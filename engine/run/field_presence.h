// engine/run/field_presence.h: which of the fields that a run uses exist in its records, so that a mistyped
// field name ends the run instead of giving each record an error, or all of them one group.
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
  // The fields of the first such record, including paths into its objects and arrays; known at least if some
  // field was found in no record.
  std::vector<std::string> there;
};

// Adds the presence in later records.
void AddPresence(const FieldPresence& later, FieldPresence& presence);

// The same, row by row; `presence` may still be empty.
void AddPresence(const std::vector<FieldPresence>& later, std::vector<FieldPresence>& presence);

// Returns the fields of a value and of the values in it, level by level, at most three levels deep and at
// most 200; for an array, the fields of its first element.
std::vector<std::string> ListFields(const LeafTable& table, const ShapeTable& shapes, NodeId record);

// A field that records should have, and the option that names it.
struct WantedField {
  std::string name;
  std::string option;
  std::size_t number;  // index into FieldPresence::found
};

// Returns the wanted fields that no record has; empty if there are no records.
std::vector<WantedField> AbsentFields(const FieldPresence& presence, std::span<const WantedField> wanted);

// Return the fields that some record must have: the ones that the options name, and the ones that scoring
// needs. WantedFields is for the records (indexed as in BatchScorer::presence), the second function for the
// gold.
std::vector<WantedField> WantedFields(const FileOptions& options, bool needs_expected);
std::vector<WantedField> WantedGoldFields(const FileOptions& options, bool needs_expected);
// Returns the fields with the answer and the calls of its run, among the fields for records, by these
// numbers.
std::vector<WantedField> WantedAnswerFields(const FileOptions& options, std::size_t actual_number,
                                            std::size_t calls_number);

// Returns what to do about records that are output of another tool, as the end of a message; empty if they
// are not.
std::string_view AdviceOn(const FieldPresence& presence);

// ERRORS: Error(kInput) if no record has one of the fields, unless there are no records. It names all such
// fields, with the nearest names and the existing fields. `where` is for example "no record of FILE",
// `remedy` the end of the message.
void CheckFieldsAreThere(const FieldPresence& presence, std::span<const WantedField> wanted,
                         const std::string& where, std::string_view remedy = {});

// The same while more records may come. It checks only fields whose name is close to one in the records, so
// that the name is probably mistyped.
void CheckNearFields(const FieldPresence& presence, std::span<const WantedField> wanted,
                     const std::string& where);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_FIELD_PRESENCE_H_
