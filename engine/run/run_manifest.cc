#include "engine/run/run_manifest.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/choices.h"
#include "engine/base/run_options.h"
#include "engine/config/config_json.h"
#include "engine/io/byte_source.h"
#include "engine/json/json_writer.h"
#include "engine/run/file_options.h"
#include "engine/run/result_writer.h"
#include "engine/scorers/pair_selector_options.h"
#include "engine/scorers/registry.h"
#include "leafscore/version.h"

namespace leafscore::internal {
namespace {

// Writes values of options as JSON.
void WriteValue(std::unsigned_integral auto number, JsonWriter& json) { json.Integer(number); }
void WriteValue(bool flag, JsonWriter& json) { json.Bool(flag); }
void WriteValue(const std::string& text, JsonWriter& json) { json.LossyString(text); }
void WriteValue(const std::vector<std::string>& texts, JsonWriter& json) {
  json.StartArray();
  for (const std::string& text : texts) json.LossyString(text);
  json.EndArray();
}
template <class Choice>
requires std::is_enum_v<Choice>
void WriteValue(Choice choice, JsonWriter& json) { json.String(NameOf(ChoicesOf(choice), choice)); }

Manifest::Option NamedValue(std::string_view name, const auto& value) {
  Manifest::Option named{std::string(name), {}};
  JsonWriter json(named.json, JsonLayout::kCompact);
  WriteValue(value, json);
  return named;
}

// Returns the options that the manifest names.
std::vector<Manifest::Option> OptionsOf(FileOptions options) {
  options.join_field = JoinField(options);
  const bool to_csv = OutputFormatOf(options.output) == OutputFormat::kCsv;
  const FileOptions defaults;
  std::vector<Manifest::Option> named;
  ForEachOption(options, [&](const auto& option, const auto& value) {
    const bool is_named = option.effect == Effect::kScores || option.effect == Effect::kLines;
    const bool is_left_out = option.named_if_changed && value == defaults.*option.member;
    if (is_named && !is_left_out) named.push_back(NamedValue(option.name, value));
  });
  // csv_raw is named only in this case, so that the manifests of other runs stay the same.
  if (options.csv_raw && to_csv) named.push_back(NamedValue("csv_raw", true));
  return named;
}

// Adds a file of a scorer. Skips a file without permission to read it, such as a program that can only be
// executed.
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
  facts.push_back({"the answers to compare with (--versus)", options.versus});
  if (begun.versus) facts.push_back({"the checksum of " + options.versus, begun.versus->checksum});
  for (const Manifest::Option& option : begun.options) {
    // The memory is checked separately, by its effect on the results.
    if (option.name != "memory_bytes") facts.push_back({"the option " + option.name, option.json});
  }
  ForEachOption(options, [&](const auto& option, const auto& value) {
    if (option.effect != Effect::kBytes) return;
    const Manifest::Option named = NamedValue(option.name, value);
    facts.push_back({"the option " + named.name, named.json});
  });
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
