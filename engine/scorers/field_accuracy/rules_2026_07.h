// engine/scorers/field_accuracy/rules_2026_07.h: what AgentV's field-accuracy of July 2026 does otherwise
// than the first one: it reads an answer from its first brace to its last, numbers as JavaScript's parseFloat
// does, and dates as its Date does.
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

// Returns the first NaN or Infinity, which JSON.parse refuses, within a value; kNoNode when there is none.
NodeId FindNamedNumber(const LeafTable& table, NodeId root);

// Reads a text as JSON.parse does. RETURNS: nothing (kNoNode) for NaN and Infinity, too.
JsonResult ReadJavaScriptJson(ParsedText& parsed, std::size_t begin, std::size_t end, ParsedTexts& texts);

// Reads the JSON value in a string value: without the marks of fences, from the first { to the last }, or all
// of it when there is none of the two. The value of a member "passed" may be a word, bare or in quotes.
// RETURNS: the value, which lives in `texts`, or an absent one with *fault saying what is wrong.
ValueRef ReadAnswer2026_07(ValueRef text, ParsedTexts& texts, std::string* fault);

// Returns the order that formats imply: month first with MM/DD or MM-DD anywhere in one, so with YYYY-MM-DD,
// too; day first with DD/MM or DD-MM, so with DD-MMM-YYYY, too; by value with both sorts or neither.
DayMonthOrder OrderOfFormats2026_07(std::span<const std::string> formats);

// Returns the day of a text without white space around it, by JavaScript's Date; where that is none, of
// 4-MAR-2025 and of two numbers and a year, which alone `order` matters for.
std::optional<std::chrono::sys_days> ParseDate2026_07(std::string_view text, DayMonthOrder order);

// Compares two values. REQUIRES: both are present; the rule is of this revision.
FieldVerdict CompareField2026_07(const FieldRule& rule, ValueRef expected, ValueRef actual,
                                 const ShapeTable& shapes, PairWalker& walker);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_RULES_2026_07_H_
