#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "engine/base/file_descriptor.h"
#include "engine/base/shell_text.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/io/write_file.h"
#include "engine/json/json_text.h"
#include "engine/render/cells.h"
#include "engine/run/file_options.h"
#include "engine/run/record_survey.h"
#include "engine/run/wide_records.h"
#include "engine/text/lower_case.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr char kInitFooter[] =
    R"(The first 1,000 records of each file are looked at. The role of each field is guessed from its name
and its values: read the output, and correct the command and the configuration where the guess
is wrong. An existing configuration is never overwritten.

Examples:
  leafscore init answers.jsonl
  leafscore init gold.jsonl model-a.jsonl model-b.jsonl
  leafscore init answers.csv -o invoices.yaml)";

struct InitArguments {
  std::vector<std::string> inputs;
  std::string output = "scorers.yaml";
  InputFormat format = InputFormat::kAuto;
};

// The files by their contents.
struct InitFiles {
  const RecordSurvey* gold = nullptr;         // the expected values
  std::vector<const RecordSurvey*> answered;  // files with answers; empty: only gold
  bool is_gold_apart = false;                 // `gold` is given with --gold
};

// The scorer for a kind of expected values, as in the README's table of scorers.
struct ScorerChoice {
  std::string_view type;
  std::string_view others;  // other scorers for such values
};

ScorerChoice ChoiceFor(SurveyedKind kind) {
  switch (kind) {
    case SurveyedKind::kToolCalls:
      return {"tool_calls", "json_similarity (each argument counts)"};
    case SurveyedKind::kStructure:
      return {"json_similarity",
              "records (rows in any order), field_accuracy (tolerances and dates), strict_json"};
    case SurveyedKind::kLabels:
      return {"classification", "exact_match"};
    case SurveyedKind::kNumbers:
      return {"exact_match", "field_accuracy (a tolerance), numeric_match"};
    case SurveyedKind::kTexts:
    case SurveyedKind::kNothing:
      break;
  }
  return {"levenshtein", "contains, exact_match; llm_judge, where only the meaning counts"};
}

std::string ListOfFields(const RecordSurvey& survey) {
  std::string list;
  for (const SurveyedField& field : survey.fields) {
    list += (list.empty() ? "" : ", ") + QuoteForMessage(field.name);
    if (list.size() > 400) return list + ", ...";
  }
  return list.empty() ? "none" : list;
}

// ERRORS: Error(kInput): no side of the records was recognised.
[[noreturn]] void RefuseUnknown(const RecordSurvey& survey, std::string_view what, std::string_view options) {
  throw Error(
      ErrorCode::kInput,
      fmt::format(
          "no field of {} looks like {}; its fields: {}. Name it yourself: leafscore score {} -s SCORER "
          "{} (leafscore scorers lists the scorers)",
          survey.input, what, ListOfFields(survey), ForShell(survey.input), options));
}

void CheckSameFields(const InitFiles& files) {
  const RecordSurvey& first = *files.answered.front();
  for (const RecordSurvey* const survey : files.answered) {
    if (survey->id == first.id && survey->actual == first.actual) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("{} and {} name their fields differently; call init for each of them",
                            first.input, survey->input));
  }
}

// Returns whether a file is named like one with expected values.
bool IsNamedLikeGold(const std::string& input) {
  std::string name = std::filesystem::path(input).filename().string();
  FoldCase(name);
  constexpr std::string_view kNames[] = {"gold", "expected", "reference", "truth", "solution"};
  return std::ranges::any_of(kNames, [&](std::string_view part) { return name.find(part) != name.npos; });
}

// Takes the values of a field `answer` for the expected values, if no file has expected values and only one
// of several files has the field. If several files have it, exactly one of them must be named like gold.
void TakeAnswersForGold(std::vector<RecordSurvey>& surveys) {
  const auto has_gold = [](const RecordSurvey& survey) { return !survey.expected.empty(); };
  if (surveys.size() < 2 || std::ranges::any_of(surveys, has_gold)) return;
  std::vector<RecordSurvey*> may_be_gold;
  for (RecordSurvey& survey : surveys) {
    if (survey.may_be_gold) may_be_gold.push_back(&survey);
  }
  if (may_be_gold.size() > 1) {
    std::erase_if(may_be_gold, [](const RecordSurvey* survey) { return !IsNamedLikeGold(survey->input); });
  }
  if (may_be_gold.size() != 1) return;
  RecordSurvey& gold = *may_be_gold.front();
  gold.expected = std::exchange(gold.actual, "");
}

// Returns the name of the file that a jq filter makes from the output of a service.
std::string FilteredFile(const std::string& input) {
  std::filesystem::path path(input);
  return path.replace_extension(".answers.jsonl").string();
}

// Chooses the texts or the calls in the output of services, depending on what is expected.
void ChooseServiceAnswers(std::vector<RecordSurvey>& surveys) {
  const auto gold = std::ranges::find_if(surveys, [](const RecordSurvey& s) { return !s.expected.empty(); });
  for (RecordSurvey& survey : surveys) {
    if (!survey.service) continue;
    ServiceOutput& service = *survey.service;
    const bool wants_calls = gold == surveys.end()
                                 ? service.are_calls
                                 : gold->Find(gold->expected)->kind() == SurveyedKind::kToolCalls;
    if (!wants_calls && !service.text.empty()) continue;
    service.jq.clear();  // the calls are at one place
    survey.actual = service.calls;
  }
}

InitFiles SortFiles(const std::vector<RecordSurvey>& surveys) {
  InitFiles files;
  for (const RecordSurvey& survey : surveys) {
    if (survey.records == 0) throw Error(ErrorCode::kInput, survey.input + " holds no records");
    if (!survey.actual.empty()) {
      files.answered.push_back(&survey);
      continue;
    }
    if (survey.expected.empty()) {
      RefuseUnknown(survey, "an expected value or an answer", "--expected-field FIELD --actual-field FIELD");
    }
    if (files.is_gold_apart) {
      throw Error(ErrorCode::kInput,
                  files.gold->input + " and " + survey.input + " both look like gold; name one");
    }
    files.gold = &survey;
    files.is_gold_apart = true;
  }
  if (files.answered.empty()) return files;
  const RecordSurvey& first = *files.answered.front();
  if (files.answered.size() > 1) CheckSameFields(files);
  if (!files.is_gold_apart) {
    if (first.expected.empty() && first.service) {
      throw Error(
          ErrorCode::kInput,
          fmt::format("{} looks like {}, without expected values: {}", first.input, first.service->what,
                      first.service->id.empty()
                          ? "add the id and the expected value to each record"
                          : fmt::format("give the file with them, too: leafscore init {} GOLD",
                                        ForShell(first.input))));
    }
    if (first.expected.empty()) {
      RefuseUnknown(first, "an expected value", "--expected-field FIELD, or give the file with them, too");
    }
    files.gold = &first;
    files.is_gold_apart = files.answered.size() > 1;  // files of several models share the test of the first
  }
  if (files.is_gold_apart && first.service && first.service->id.empty() && first.id == "id") {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{} looks like {}, whose ids are those of the service: add the id in {} to each record",
                    first.input, first.service->what, files.gold->input));
  }
  if (files.is_gold_apart && (first.id.empty() || files.gold->id.empty())) {
    throw Error(ErrorCode::kInput,
                fmt::format("no field of {} looks like an id, by which answers are joined with their "
                            "gold; name it with --id-field; its fields: {}",
                            first.id.empty() ? first.input : files.gold->input,
                            ListOfFields(first.id.empty() ? first : *files.gold)));
  }
  return files;
}

// Appends an option unless the value is the default.
void AddOption(std::string_view option, const std::string& value, std::string_view default_value,
               std::string& command) {
  if (value.empty() || value == default_value) return;
  command += fmt::format(" {}{}{}", option, value.starts_with('-') ? '=' : ' ', ForShell(value));
}

// Returns a field name that no record has, for the names of the models.
std::string WideSourceOf(const RecordSurvey& survey) {
  return survey.Find(kWideSourceField) == nullptr ? kWideSourceField : "answered_by";
}

// Appends the options that say where the parts of a record are.
void AddFieldOptions(const InitFiles& files, std::string& command) {
  const RecordSurvey& first = *files.answered.front();
  AddOption("--id-field", first.id, "id", command);
  const bool is_filtered = first.service && !first.service->jq.empty();
  if (!is_filtered) AddOption("--actual-field", first.actual, "actual", command);
  if (files.is_gold_apart) {
    AddOption("--gold-id-field", files.gold->id, first.id, command);
    AddOption("--gold-expected-field", files.gold->expected, "expected", command);
  } else {
    AddOption("--expected-field", files.gold->expected, "expected", command);
  }
  if (first.wide.empty()) {
    AddOption("--source-field", first.source, "", command);
  } else {
    AddOption("--source-field", WideSourceOf(first), kWideSourceField, command);
  }
  std::vector<std::string> groups = first.groups;
  if (files.is_gold_apart) {
    for (const std::string& group : files.gold->groups) {
      if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
    }
  }
  for (const std::string& group : groups) AddOption("--group-by", group, first.source, command);
}

// Returns the name of a file, quoted for the shell, in a form that is not taken for an option.
std::string FileForShell(const std::string& name) {
  return ForShell(name.starts_with('-') ? "./" + name : name);
}

std::string FormatOption(const InitArguments& arguments) {
  return arguments.format == InputFormat::kAuto
             ? ""
             : fmt::format(" --input-format {}", NameOf(kInputFormatChoices, arguments.format));
}

std::string ScoreCommand(const InitArguments& arguments, const InitFiles& files) {
  std::string command = "leafscore score";
  for (const RecordSurvey* const survey : files.answered) {
    const bool is_filtered = survey->service && !survey->service->jq.empty();
    command += " " + FileForShell(is_filtered ? FilteredFile(survey->input) : survey->input);
  }
  if (files.is_gold_apart) command += " --gold " + FileForShell(files.gold->input);
  command += " --config " + FileForShell(arguments.output) + FormatOption(arguments);
  AddFieldOptions(files, command);
  return command + " -o scores.jsonl";
}

// Returns the field of the scores that says who answered; empty if there is one model.
std::string SourceOf(const InitFiles& files) {
  const RecordSurvey& first = *files.answered.front();
  if (!first.source.empty()) return first.source;
  if (!first.wide.empty()) return WideSourceOf(first);
  return files.answered.size() > 1 ? kSourceGroup : "";
}

// Returns the commands to run, one a line.
std::string CommandsFor(const InitArguments& arguments, const InitFiles& files) {
  if (files.answered.empty()) {
    std::string command = fmt::format("leafscore lint {} --config {}{}", FileForShell(files.gold->input),
                                      FileForShell(arguments.output), FormatOption(arguments));
    AddOption("--gold-id-field", files.gold->id, "id", command);
    AddOption("--gold-expected-field", files.gold->expected, "expected", command);
    return "  " + command + "\n";
  }
  const std::string by = SourceOf(files);
  std::string commands;
  for (const RecordSurvey* const survey : files.answered) {
    if (!survey->service || survey->service->jq.empty()) continue;
    commands += fmt::format("  jq -c {} {} > {}\n", ForShell(survey->service->jq),
                            FileForShell(survey->input), FileForShell(FilteredFile(survey->input)));
  }
  commands += "  " + ScoreCommand(arguments, files) + "\n";
  if (!by.empty()) commands += "  leafscore leaderboard scores.jsonl --by " + ForShell(by) + "\n";
  return commands;
}

// Returns the classes of the labels, as a list in YAML.
std::string ClassesOf(const SurveyedField& labels) {
  std::string list;
  for (const std::string& label : labels.different) {
    list += list.empty() ? "" : ", ";
    AppendJsonString(list, label);
  }
  return "[" + list + "]";
}

std::string ConfigFor(const InitFiles& files) {
  const SurveyedField& expected = *files.gold->Find(files.gold->expected);
  const ScorerChoice choice = ChoiceFor(expected.kind());
  std::string text = fmt::format("# The values in {} of {} are {}.\n# Others for such values: {}.\n",
                                 QuoteForMessage(expected.name), QuoteForMessage(files.gold->input, 200),
                                 KindInWords(expected.kind()), choice.others);
  text += fmt::format("scorers:\n  - type: {}\n", choice.type);
  if (choice.type != "classification") return text;
  if (!files.gold->is_whole) text += "    # Add the classes that occur only after the first 1,000 records.\n";
  return text + fmt::format("    classes: {}\n", ClassesOf(expected));
}

std::string RoleOf(const RecordSurvey& survey, const std::string& field) {
  if (field == survey.id) return "the id";
  if (field == survey.expected) return "the expected value";
  if (field == survey.actual) return "the answer";
  if (field == survey.source) return "who answered";
  const bool is_around_answer =
      survey.actual.starts_with(field + '.') || survey.actual.starts_with(field + '[');
  if (survey.service && is_around_answer) return "the answer is in it";
  if (std::ranges::find(survey.wide, field) != survey.wide.end()) return "answers of models";
  return std::ranges::find(survey.groups, field) == survey.groups.end() ? "" : "a group";
}

// Returns a text about what each field seems to be.
std::string Describe(const RecordSurvey& survey) {
  std::string text =
      fmt::format("{}: {}{} record{}{}\n", DisplayName(survey.input), survey.is_whole ? "" : "the first ",
                  survey.records, survey.records == 1 ? "" : "s",
                  survey.unreadable == 0 ? "" : fmt::format(", {} of them unreadable", survey.unreadable));
  for (const SurveyedField& field : survey.fields) {
    const std::string role = RoleOf(survey, field.name);
    text += fmt::format("  {:<24} {}{}{}\n", QuoteForMessage(field.name), KindInWords(field.kind()),
                        field.values == survey.records ? "" : fmt::format(" in {}", field.values),
                        role.empty() ? "" : ": " + role);
  }
  return text;
}

// Makes a file with this text. ERRORS: Error(kOutput), also if a file of this name exists.
void WriteNewFile(const std::string& path, std::string_view text) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.valid() && errno == EEXIST) {
    throw Error(ErrorCode::kOutput, path + " exists, and init overwrites no file; name another one with -o");
  }
  if (!file.valid()) ThrowOutputError("cannot make " + path, errno);
  if (WriteAll(file.get(), text) == text.size()) return;
  const int error = errno;
  unlink(path.c_str());
  ThrowOutputError("cannot write " + path, error);
}

void Init(const InitArguments& arguments) {
  FileOptions options;
  options.input_format = arguments.format;
  options.stop = &CatchInterrupts();
  std::vector<RecordSurvey> surveys;
  for (const std::string& input : arguments.inputs) {
    if (input == "-")
      throw Error(ErrorCode::kUsage, "init looks at files that are read again later; name files");
    surveys.push_back(SurveyRecords(input, options));
    if (options.stop->load()) throw Error(ErrorCode::kInterrupted, "stopped while it read " + input);
  }
  TakeAnswersForGold(surveys);
  ChooseServiceAnswers(surveys);
  const InitFiles files = SortFiles(surveys);
  WriteNewFile(arguments.output, ConfigFor(files));
  std::string text;
  for (const RecordSurvey& survey : surveys) text += Describe(survey);
  const SurveyedKind kind = files.gold->Find(files.gold->expected)->kind();
  Print(text + fmt::format("\n{}: {}, for {}\n\nRun:\n{}", DisplayName(arguments.output),
                           ChoiceFor(kind).type, KindInWords(kind), CommandsFor(arguments, files)));
}

}  // namespace

void AddInitCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "init", "Look at files of records, and write a configuration and the command for them");
  const auto arguments = std::make_shared<InitArguments>();
  command
      ->add_option("inputs", arguments->inputs,
                   "Files of records as score reads them: with expected values, with answers, or with both")
      ->required()
      ->type_name("FILE")
      ->check(CheckFileName);
  command
      ->add_option("-o,--output", arguments->output,
                   "Configuration to write, a new file [default: scorers.yaml]")
      ->type_name("FILE")
      ->check(CheckFileName);
  AddChoice(*command, "--input-format", kInputFormatChoices, arguments->format,
            "As in leafscore score [default: auto]");
  command->footer(kInitFooter);
  command->callback([arguments] { Init(*arguments); });
}

}  // namespace leafscore::internal
