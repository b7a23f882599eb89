#include "engine/run/run_manifest.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/config/config_json.h"
#include "engine/json/json_writer.h"
#include "engine/run/file_options.h"
#include "engine/run/result_writer.h"

namespace leafscore::internal {
namespace {

// By the values of their types.
constexpr const char* kDetailNames[] = {"none", "basic", "leaves"};
constexpr const char* kParseTextsNames[] = {"auto", "never", "always"};
constexpr const char* kFormatNames[] = {"auto", "jsonl", "json"};
constexpr const char* kRepeatsNames[] = {"last", "first", "all", "error"};

template <class Choice, std::size_t kCount>
const char* NameOf(const char* const (&names)[kCount], Choice choice) {
  return names[static_cast<std::size_t>(choice)];
}

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
  list.AddText("details", NameOf(kDetailNames, options.details));
  list.AddTexts("group_by", options.group_by);
  list.AddText("repeats", RepeatsName(options.repeats));
  list.AddText("id_field", options.id_field);
  list.AddText("expected_field", options.expected_field);
  list.AddText("actual_field", options.actual_field);
  list.AddText("join_field", JoinField(options));
  list.AddText("gold_id_field", options.gold_id_field);
  list.AddText("gold_expected_field", options.gold_expected_field);
  list.AddText("input_format", NameOf(kFormatNames, options.input_format));
  list.AddText("parse_texts", NameOf(kParseTextsNames, options.parse_texts));
  list.AddFlag("strict_json", options.strict_json);
  list.AddNumber("max_line_bytes", options.max_line_bytes);
  list.AddNumber("max_depth", options.max_depth);
  list.AddNumber("max_pair_cells", options.max_pair_cells);
  list.AddNumber("max_details_bytes", options.max_details_bytes);
  return list.Take();
}

Manifest::Scorer ScorerOf(const ScorerSpec& spec) {
  Manifest::Scorer scorer{spec.name, spec.type, {}, {}};
  for (const ConfigMember& option : spec.options.members) {
    AppendConfigAsJson(option.value, scorer.options.emplace_back(option.key, "").json);
  }
  std::ranges::sort(scorer.options, {}, &Manifest::Option::name);
  return scorer;
}

}  // namespace

std::string_view RepeatsName(Repeats repeats) { return NameOf(kRepeatsNames, repeats); }

Manifest BeginManifest(const ScorerSet& scorers, const FileOptions& options) {
  Manifest manifest;
  manifest.leafscore = Version();
  for (const ScorerSpec& spec : scorers.specs()) manifest.scorers.push_back(ScorerOf(spec));
  manifest.options = OptionsOf(options);
  if (!options.output.empty()) {
    manifest.format = OutputFormatOf(options.output) == OutputFormat::kCsv ? "csv" : "jsonl";
  }
  return manifest;
}

Manifest::File FileOf(const std::string& name, const Checksum& read) {
  return {name, read.bytes(), read.Text()};
}

}  // namespace leafscore::internal
