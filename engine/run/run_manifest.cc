#include "engine/run/run_manifest.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "engine/base/choices.h"
#include "engine/config/config_json.h"
#include "engine/io/byte_source.h"
#include "engine/json/json_writer.h"
#include "engine/run/file_options.h"
#include "engine/run/result_writer.h"
#include "engine/scorers/pair_selector.h"
#include "engine/scorers/registry.h"

namespace leafscore::internal {
namespace {

constexpr char kMemoryOption[] = "memory_bytes";

// Makes options one by one.
class OptionList {
 public:
  void AddText(const char* name, std::string_view text) { Add(name).LossyString(text); }
  void AddFlag(const char* name, bool flag) { Add(name).Bool(flag); }
  void AddNumber(const char* name, std::uint64_t number) { Add(name).Integer(number); }
  void AddTexts(const char* name, const std::vector<std::string>& texts) {
    JsonWriter json = Add(name);
    json.StartArray();
    for (const std::string& text : texts) json.LossyString(text);
    json.EndArray();
  }

  std::vector<Manifest::Option> Take() { return std::move(options_); }

 private:
  JsonWriter Add(const char* name) {
    options_.push_back({name, {}});
    return JsonWriter(options_.back().json, JsonLayout::kCompact);
  }

  std::vector<Manifest::Option> options_;
};

std::vector<Manifest::Option> OptionsOf(const FileOptions& options) {
  OptionList list;
  list.AddText("details", NameOf(kDetailChoices, options.details));
  list.AddTexts("group_by", options.group_by);
  list.AddText("repeats", NameOf(kRepeatsChoices, options.repeats));
  list.AddText("id_field", options.id_field);
  list.AddText("expected_field", options.expected_field);
  list.AddText("actual_field", options.actual_field);
  list.AddText("join_field", JoinField(options));
  list.AddText("gold_id_field", options.gold_id_field);
  list.AddText("gold_expected_field", options.gold_expected_field);
  list.AddText("input_format", NameOf(kInputFormatChoices, options.input_format));
  list.AddText("parse_texts", NameOf(kParseTextsChoices, options.parse_texts));
  list.AddFlag("strict_json", options.strict_json);
  list.AddNumber("max_line_bytes", options.max_line_bytes);
  list.AddNumber("max_depth", options.max_depth);
  list.AddNumber("max_pair_cells", options.max_pair_cells);
  list.AddNumber("max_details_bytes", options.max_details_bytes);
  list.AddNumber(kMemoryOption, options.memory_bytes);
  if (!options.source_field.empty()) list.AddText("source_field", options.source_field);
  if (!options.calls_field.empty()) list.AddText("calls_field", options.calls_field);
  // Named only in this case, so that other runs keep their manifests.
  if (options.csv_raw && OutputFormatOf(options.output) == OutputFormat::kCsv) list.AddFlag("csv_raw", true);
  return list.Take();
}

// Adds a file of a scorer, unless it cannot be read: a program may be executable only.
void AddFile(const std::string& path, std::vector<Manifest::File>& files) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) {
    if (errno == EACCES) return;
    ThrowUnreadable(path, errno);
  }
  Checksum read;
  std::vector<char> piece(256 << 10);
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    read.Add({piece.data(), static_cast<std::size_t>(file.gcount())});
  } while (file);
  if (!file.eof()) ThrowUnreadable(path, errno);
  files.push_back(FileOf(path, read));
}

Manifest::Scorer ScorerOf(const std::string& type, const NamedScorer& named, ParseTexts parse_texts) {
  Manifest::Scorer scorer{named.name, type, {}, {}, {}};
  for (const ConfigMember& option : named.options.members) {
    if (option.key == kRevisionOption.name && !FindScorerType(type)->revisions.empty()) {
      scorer.revision = option.value.scalar;
      continue;
    }
    std::string& json = scorer.options.emplace_back(option.key, "").json;
    const bool as_the_run =
        option.key == kParseTextsOption.name && option.value.kind == ConfigValue::Kind::kNull;
    AppendConfigAsJson(
        as_the_run ? TextValue(std::string(NameOf(kParseTextsChoices, parse_texts))) : option.value, json);
  }
  std::ranges::sort(scorer.options, {}, &Manifest::Option::name);
  for (const std::string& path : named.scorer->files()) AddFile(path, scorer.files);
  return scorer;
}

}  // namespace

Manifest BeginManifest(const ScorerSet& scorers, const FileOptions& options) {
  Manifest manifest;
  manifest.leafscore = Version();
  for (std::size_t s = 0; s < scorers.scorers().size(); ++s) {
    manifest.scorers.push_back(ScorerOf(scorers.specs()[s].type, scorers.scorers()[s], options.parse_texts));
  }
  manifest.options = OptionsOf(options);
  if (!options.output.empty()) {
    manifest.format = OutputFormatOf(options.output) == OutputFormat::kCsv ? "csv" : "jsonl";
  }
  return manifest;
}

std::vector<RunFact> FactsOf(const Manifest& begun, const FileOptions& options) {
  std::vector<RunFact> facts = {{"the version of leafscore", begun.leafscore}};
  for (const Manifest::Scorer& scorer : begun.scorers) {
    facts.push_back({"a scorer", scorer.name});
    facts.push_back({"the type of the scorer " + scorer.name, scorer.type});
    facts.push_back({"the revision of the scorer " + scorer.name, scorer.revision});
    for (const Manifest::Option& option : scorer.options) {
      facts.push_back({"the option " + option.name + " of the scorer " + scorer.name, option.json});
    }
    for (const Manifest::File& file : scorer.files) {
      facts.push_back({"the checksum of " + file.name, file.checksum});
    }
  }
  for (const std::string& input : options.inputs) facts.push_back({"an input", input});
  facts.push_back({"the gold", options.gold});
  if (begun.gold) facts.push_back({"the checksum of the gold", begun.gold->checksum});
  for (const Manifest::Option& option : begun.options) {
    const bool may_differ = option.name == kMemoryOption;  // checked separately, by its effect on the results
    if (!may_differ) facts.push_back({"the option " + option.name, option.json});
  }
  facts.push_back({"the option csv_raw", options.csv_raw ? "true" : "false"});
  facts.push_back({"the option max_groups", std::to_string(options.max_groups)});
  return facts;
}

bool BeginsAsManifest(const std::string& name, bool or_part) {
  const std::string begin = ManifestJson({}).substr(0, 16);
  std::error_code none;
  if (!std::filesystem::is_regular_file(name, none)) return false;
  std::ifstream file(name, std::ios::binary);
  std::string there(begin.size(), '\0');
  file.read(there.data(), static_cast<std::streamsize>(there.size()));
  there.resize(static_cast<std::size_t>(file.gcount()));
  return there == begin || (or_part && file.is_open() && begin.starts_with(there));
}

void CheckManifestPlace(const std::string& output) {
  const std::string path = ManifestPath(output);
  struct stat status {};
  if ((stat(path.c_str(), &status) != 0 && errno == ENOENT) || BeginsAsManifest(path)) return;
  throw Error(ErrorCode::kOutput, fmt::format("{} is not a manifest of scores, and the manifest of {} would "
                                              "replace it: move it away, or name another output",
                                              path, output));
}

}  // namespace leafscore::internal
