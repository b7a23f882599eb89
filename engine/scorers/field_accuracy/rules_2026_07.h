// engine/scorers/field_accuracy/rules_2026_07.h: how AgentV's field-accuracy of July 2026 differs from the
// first version: it reads an answer from its first brace to its last, it reads numbers like JavaScript's
// parseFloat, and it reads dates like JavaScript's Date.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_RULES_2026_07_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_RULES_2026_07_H_

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/match/pair_walker.h"
#include "engine/scorers/field_accuracy/field_comparer.h"
#include "engine/scorers/field_accuracy/field_rules.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/text/date.h"

namespace leafscore::internal {

// Returns the first NaN or Infinity in a value, which JSON.parse refuses; kNoNode if there is none.
NodeId FindNamedNumber(const LeafTable& table, NodeId root);

// Reads a text like JSON.parse. RETURNS: a result without a root if the text is not JSON; NaN and Infinity
// are not JSON.
JsonResult ReadJavaScriptJson(ParsedText& parsed, std::size_t begin, std::size_t end, ParsedTexts& texts);

// Reads the JSON value in a string value, ignoring fence marks. The value reaches from the first { to the
// last }; if a brace is missing, it is the whole text. The value of a member "passed" may be a word, bare or
// in quotes.
// RETURNS: the value, which lives in `texts`, or an absent value with *fault set.
ValueRef ReadAnswer2026_07(ValueRef text, ParsedTexts& texts, std::string* fault);

// Returns the order of day and month that the formats imply. MM/DD or MM-DD in a format, such as YYYY-MM-DD,
// means month first. DD/MM or DD-MM in a format, such as DD-MMM-YYYY, means day first. If the formats imply
// both orders or neither, the order is kByValue.
DayMonthOrder OrderOfFormats2026_07(std::span<const std::string> formats);

// Returns the day of a text without surrounding white space as JavaScript's Date reads it. If Date cannot
// read the text, it may be a day such as 4-MAR-2025, or two numbers and a year. `order` matters only for two
// numbers and a year.
std::optional<std::chrono::sys_days> ParseDate2026_07(std::string_view text, DayMonthOrder order);

// Compares two values. REQUIRES: both are present; the rule belongs to this revision.
FieldVerdict CompareField2026_07(const FieldRule& rule, ValueRef expected, ValueRef actual,
                                 const ShapeTable& shapes, PairWalker& walker);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_RULES_2026_07_H_
