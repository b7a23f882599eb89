// engine/base/run_options.h: the options of a run over files, each described once. The options of the command
// line are made from this table, and so are the names in the bindings of other languages and the members in
// the JSON Schemas of the documentation. Manifests name the values of these options, continued runs compare
// the values, and shards pass them on. Options that need more than a value, such as --shard, are not in the
// table. Constants.
#ifndef LEAFSCORE_ENGINE_BASE_RUN_OPTIONS_H_
#define LEAFSCORE_ENGINE_BASE_RUN_OPTIONS_H_

#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "engine/base/limits.h"
#include "leafscore/files.h"
#include "leafscore/options.h"

namespace leafscore::internal {

// The strongest effect that a change of an option's value can have. The strongest comes first.
enum class Effect : std::uint8_t {
  kScores,  // changes scores: the manifest names it, and only runs with equal values are comparable
  kLines,   // changes what is read or how much is written: the manifest names it; runs stay comparable
  kBytes,  // changes the output or report, but no scores: as kLines, and a continued run needs the same value
  kRun,    // changes how the run goes: a shard passes it on to the merge
  kMachine,  // changes nothing that is written
};

// The commands that get an option from the table. Commands that define the option themselves do not count.
enum class Commands : std::uint8_t {
  kNoOthers,
  kReaders,  // all that read records
  kJoins,    // all that join records with gold
  kScore,
};

// How the command line shows an option.
struct OnCommandLine {
  Commands commands = Commands::kNoOthers;
  std::string_view group = {};
  std::string_view help = {};  // if empty, the reason and the range of the limit
  std::string_view flag = {};  // if empty, the name with hyphens
};

template <class Options, class Value>
struct RunOption {
  std::string_view name;  // as in Python, manifests and schemas
  Value Options::*member;
  Effect effect;
  const Limit* limit = nullptr;
  OnCommandLine command_line = {};
  bool named_if_changed = false;  // the manifest leaves out the default
};
template <class Options, class Value, class... Rest>
RunOption(std::string_view, Value Options::*, Rest...) -> RunOption<Options, Value>;

// The options are in the order of manifests and, within each group, in the order of the help.
inline constexpr std::tuple kOptionTable{
    RunOption{"inputs", &FileOptions::inputs, Effect::kRun},
    RunOption{"output", &FileOptions::output, Effect::kRun},
    RunOption{"details", &EngineOptions::details, Effect::kLines},
    RunOption{
        "group_by", &FileOptions::group_by, Effect::kLines, nullptr,
        OnCommandLine{Commands::kScore, "Output", "Also summarise by this field of the records or the gold"}},
    RunOption{"gold", &FileOptions::gold, Effect::kRun},
    RunOption{"gold_text", &FileOptions::gold_text, Effect::kRun},
    RunOption{"versus", &FileOptions::versus, Effect::kRun},
    RunOption{"repeats", &FileOptions::repeats, Effect::kScores, nullptr,
              OnCommandLine{Commands::kJoins, "Gold",
                            "Which of several answers to one id counts; all: their mean; error: none, the "
                            "run ends [default: last]"}},
    RunOption{"id_field", &FileOptions::id_field, Effect::kLines, nullptr,
              OnCommandLine{Commands::kReaders, "Fields of a record",
                            "Field with the record's id, a name or a path (a.b[0].c) [default: id]"}},
    RunOption{"expected_field", &FileOptions::expected_field, Effect::kLines, nullptr,
              OnCommandLine{Commands::kReaders, "Fields of a record",
                            "Field with the expected value [default: expected]"}},
    RunOption{
        "actual_field", &FileOptions::actual_field, Effect::kLines, nullptr,
        OnCommandLine{Commands::kReaders, "Fields of a record",
                      "Field with the actual value; answers.* or answer_* are those of several models, for "
                      "which * stands [default: actual]"}},
    RunOption{"join_field", &FileOptions::join_field, Effect::kLines, nullptr,
              OnCommandLine{Commands::kJoins, "Gold",
                            "Field whose value joins an answer with its gold record [default: the id field]",
                            "--join"}},
    RunOption{"gold_id_field", &FileOptions::gold_id_field, Effect::kLines, nullptr,
              OnCommandLine{Commands::kJoins, "Gold", "The same field in the gold [default: as --join]"}},
    RunOption{"gold_expected_field", &FileOptions::gold_expected_field, Effect::kLines, nullptr,
              OnCommandLine{Commands::kJoins, "Gold",
                            "Field of the gold with the expected value [default: as --expected-field]"}},
    RunOption{"input_format", &FileOptions::input_format, Effect::kLines, nullptr,
              OnCommandLine{Commands::kReaders, "Input",
                            "jsonl: one record per line; json: one array of records; csv, tsv: a table whose "
                            "first row names the fields; auto: by the file's name, else by its text "
                            "[default: auto]"}},
    RunOption{"limit", &FileOptions::limit, Effect::kLines, &kRecordLimit,
              OnCommandLine{Commands::kScore, "Input"}, true},
    RunOption{
        "parse_texts", &EngineOptions::parse_texts, Effect::kScores, nullptr,
        OnCommandLine{Commands::kReaders, "Fields of a record",
                      "Whether scorers that compare structure parse JSON in strings; auto: in answers where "
                      "an object or array is expected, and in both strings if the expected one holds JSON; "
                      "prose: also with other text around it in answers [default: auto]"}},
    RunOption{"strict_json", &EngineOptions::strict_json, Effect::kScores, nullptr,
              OnCommandLine{Commands::kReaders, "Input",
                            "Reject what Python's json reads beyond the standard: NaN, Infinity, lone "
                            "surrogates, numbers out of range"}},
    RunOption{"max_line_bytes", &FileOptions::max_line_bytes, Effect::kScores, &kMaxLineBytes,
              OnCommandLine{Commands::kReaders, "Limits"}},
    RunOption{"max_ratio", &FileOptions::max_ratio, Effect::kRun, &kMaxRatio,
              OnCommandLine{Commands::kReaders, "Limits"}},
    RunOption{"max_depth", &EngineOptions::max_depth, Effect::kScores, &kMaxDepth,
              OnCommandLine{Commands::kReaders, "Limits"}},
    RunOption{"max_pair_cells", &EngineOptions::max_pair_cells, Effect::kScores, &kMaxPairCells,
              OnCommandLine{Commands::kReaders, "Limits"}},
    RunOption{"max_details_bytes", &EngineOptions::max_details_bytes, Effect::kLines, &kMaxDetailsBytes,
              OnCommandLine{Commands::kScore, "Limits"}},
    // 0 is the default, which MemoryBudget replaces before it checks the limit.
    RunOption{"memory_bytes", &FileOptions::memory_bytes, Effect::kScores},
    RunOption{"source_field", &FileOptions::source_field, Effect::kScores, nullptr,
              OnCommandLine{Commands::kScore, "Fields of a record",
                            "Field that names the model, if one file holds the answers of several: ids are "
                            "then unique per model, and the summary has a group for each"},
              true},
    RunOption{"calls_field", &FileOptions::calls_field, Effect::kLines, nullptr, OnCommandLine{}, true},
    RunOption{"csv_raw", &FileOptions::csv_raw, Effect::kBytes, nullptr,
              OnCommandLine{Commands::kScore, "Output",
                            "Write texts that begin with =, +, - or @ to CSV unchanged, although "
                            "spreadsheets run them [default: with an apostrophe in front]"}},
    RunOption{"max_groups", &FileOptions::max_groups, Effect::kBytes, &kMaxGroups,
              OnCommandLine{Commands::kScore, "Limits"}},
    RunOption{"trailer", &FileOptions::trailer, Effect::kRun, nullptr,
              OnCommandLine{Commands::kScore, "Output",
                            "End the scores with a line that shows that they are complete, as "
                            "NAME.manifest.json does beside a file"}},
    RunOption{"allow_absent_paths", &FileOptions::allow_absent_paths, Effect::kRun, nullptr,
              OnCommandLine{Commands::kScore, "Scorers",
                            "Accept a path in a scorer's options that no expected value has; without this, "
                            "the run ends, as the path is probably mistyped"}},
    RunOption{"strict_gold", &FileOptions::strict_gold, Effect::kMachine},
    RunOption{"resume", &FileOptions::resume, Effect::kMachine, nullptr,
              OnCommandLine{Commands::kScore, "Output",
                            "Continue an earlier run to this output that was killed, interrupted or ended "
                            "by an error; the result is the same, byte for byte"}},
    RunOption{"threads", &EngineOptions::threads, Effect::kMachine},
    RunOption{"device", &EngineOptions::device, Effect::kMachine},
    RunOption{"gpu_memory_bytes", &EngineOptions::gpu_memory_bytes, Effect::kMachine, &kGpuMemory,
              OnCommandLine{Commands::kScore, "Machine"}},
    RunOption{"batch_bytes", &FileOptions::batch_bytes, Effect::kMachine, &kBatchBytes,
              OnCommandLine{Commands::kScore, "Machine"}},
    RunOption{"profile", &FileOptions::profile, Effect::kMachine, nullptr,
              OnCommandLine{Commands::kScore, "Machine",
                            "Print the processor time of each stage, and how much of it only one thread can "
                            "spend"}},
};

// Calls visit(option, value) for each option of the table that is a member of Options. EngineOptions has
// fewer options than FileOptions.
template <class Options, class Visit>
void ForEachOption(Options&& options, Visit visit) {
  const auto visit_one = [&](const auto& option) {
    if constexpr (requires { options.*option.member; }) visit(option, options.*option.member);
  };
  std::apply([&](const auto&... option) { (visit_one(option), ...); }, kOptionTable);
}

// Returns whether two runs can be compared even if they differ in the option of this name.
constexpr bool MayDiffer(std::string_view name) {
  return std::apply(
      [name](const auto&... option) {
        return ((option.name == name && option.effect != Effect::kScores) || ...);
      },
      kOptionTable);
}

// ERRORS: Error(kUsage) if the value of an option is outside its limit.
template <class Options>
void CheckLimits(const Options& options) {
  ForEachOption(options, []<class Value>(const auto& option, const Value& value) {
    if constexpr (std::integral<Value>) {
      if (option.limit != nullptr) CheckLimit(*option.limit, value);
    }
  });
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_RUN_OPTIONS_H_
