// engine/scorers/tool_calls/call_options.h: the options of all revisions of the scorer `tool_calls`.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_OPTIONS_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_OPTIONS_H_

#include "engine/config/options.h"
#include "engine/match/path_rules.h"
#include "engine/scorers/pair_selector_options.h"

namespace leafscore::internal {

inline constexpr OptionSpec kArgsOption{
    "args", "exact, superset, subset, ignore or list of paths", "exact",
    "which arguments count; superset: the call may have more; subset: it may have fewer; paths: only these"};
inline constexpr OptionSpec kArgumentFieldsOption{
    "fields", "list of maps", "none",
    "arguments with rules of their own: {path, match: exact, numeric_tolerance, date, fuzzy, any_of, regex, "
    "text, present or ignore}"};
inline constexpr OptionSpec kCallOutputOption{"output", "ignore or exact", "ignore",
                                              "whether the output of an expected call is compared"};

inline constexpr OptionSpec kToolCallsOptions[] = {
    {"mode", "exact, in_order, any_order, superset, subset or counts", "any_order",
     "how calls are matched; superset: more calls are allowed; subset: fewer; counts: how often each tool is "
     "called"},
    kArgsOption,
    kArgumentFieldsOption,
    kIgnorePathsOption,
    {"tools", "map from tool name or pattern to map", "none",
     "args, fields, ignore_paths, defaults, output and weight for individual tools"},
    {"argument_credit", "whole or each", "whole",
     "whether a call counts only if all its arguments match, or by their share"},
    {"name_credit", "number from 0 to 1", "0", "share of a call earned by the right name"},
    {"extra_calls", "count or free", "count", "whether unexpected calls lower the score"},
    {"aggregation", "weighted_average or all_or_nothing", "weighted_average",
     "how calls are combined into the score"},
    {"duplicates", "count or once", "count", "whether equal calls on a side count once"},
    {"parallel", "ordered or unordered", "ordered", "whether calls in one message are ordered"},
    kCallOutputOption,
    {"name_match", "exact, ignore_case or pattern", "exact",
     "how names are compared; pattern: expected names may contain * and ?"},
    {"ignore_tools", "text or list of texts", "none", "patterns of tools to ignore on both sides"},
    {"expected_rules", "bool", "false",
     "whether {$any: [...]}, {$regex: p}, {$near: [n, d]}, {$optional: v}, {$present: true} and "
     "{$ignore: true} in expected arguments are rules"},
    kThresholdOption,
    {"call_text", "auto or never", "auto",
     "whether a text that is not JSON is read as Python calls, or as a reply without calls"},
    {"incomplete", "unreadable or score", "unreadable",
     "how to treat a trace that is marked as cut off: unreadable, or scored as far as it goes"},
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_OPTIONS_H_
