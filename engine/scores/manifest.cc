#include "engine/scores/manifest.h"

#include <fmt/format.h>

#include <charconv>

#include "engine/base/checksum.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Readers ignore members that they do not know; a change that a reader must know about gets a new number.
constexpr std::uint64_t kKind = 1;

void WriteFile(JsonWriter& json, const Manifest::File& file) {
  json.StartObject();
  json.Key("name").LossyString(file.name);
  json.Key("bytes").Integer(file.bytes);
  json.Key("checksum").String(file.checksum);
  json.EndObject();
}

void WriteOptions(JsonWriter& json, std::string_view key, const std::vector<Manifest::Option>& options) {
  json.Key(key).StartObject();
  for (const Manifest::Option& option : options) json.Key(option.name).Raw(option.json);
  json.EndObject();
}

void WriteScorer(JsonWriter& json, const Manifest::Scorer& scorer) {
  json.StartObject();
  json.Key("name").String(scorer.name);
  json.Key("type").String(scorer.type);
  if (!scorer.revision.empty()) json.Key("revision").String(scorer.revision);
  WriteOptions(json, "options", scorer.options);
  if (!scorer.files.empty()) {
    json.Key("files").StartArray();
    for (const Manifest::File& file : scorer.files) WriteFile(json, file);
    json.EndArray();
  }
  json.EndObject();
}

void WriteOrigin(JsonWriter& json, const Manifest::Origin& origin) {
  json.Key("converted_from").StartObject();
  json.Key("tool").LossyString(origin.tool);
  json.Key("version").LossyString(origin.version);
  json.Key("format").LossyString(origin.format);
  json.Key("ids").LossyString(origin.ids);
  json.EndObject();
}

// Writes the members of a manifest, except its own checksum.
void WriteMembers(JsonWriter& json, const Manifest& manifest) {
  json.Key("manifest_kind").Integer(kKind);
  json.Key("leafscore").String(manifest.leafscore);
  if (manifest.origin) WriteOrigin(json, *manifest.origin);
  json.Key("records").StartObject();
  json.Key("asked").Integer(manifest.records_asked);
  json.Key("read").Integer(manifest.records_read);
  json.EndObject();
  json.Key("scorers").StartArray();
  for (const Manifest::Scorer& scorer : manifest.scorers) WriteScorer(json, scorer);
  json.EndArray();
  json.Key("inputs").StartArray();
  for (const Manifest::File& input : manifest.inputs) WriteFile(json, input);
  json.EndArray();
  json.Key("gold");
  if (manifest.gold) {
    WriteFile(json, *manifest.gold);
  } else {
    json.Null();
  }
  if (manifest.versus) WriteFile(json.Key("versus"), *manifest.versus);
  json.Key("asked_ids").StartObject();
  json.Key("count").Integer(manifest.ids);
  json.Key("without_id").Integer(manifest.without_id);
  json.Key("checksum").String(manifest.ids_checksum);
  json.Key("with_expected").Integer(manifest.expected);
  json.Key("expected_checksum").String(manifest.expected_checksum);
  json.EndObject();
  WriteOptions(json, "options", manifest.options);
  json.Key("output");
  if (manifest.format.empty()) {
    json.Null();
    return;
  }
  json.StartObject();
  json.Key("format").String(manifest.format);
  json.Key("lines").Integer(manifest.lines);
  json.Key("bytes").Integer(manifest.bytes);
  json.Key("checksum").String(manifest.checksum);
  json.EndObject();
}

// Returns the checksum of a manifest, computed from its compact JSON without the member for the checksum.
std::string ChecksumOver(const Manifest& manifest) {
  std::string text;
  JsonWriter json(text, JsonLayout::kCompact);
  json.StartObject();
  WriteMembers(json, manifest);
  json.EndObject();
  return ChecksumOf(text);
}

void WriteManifest(JsonWriter& json, const Manifest& manifest) {
  json.StartObject();
  WriteMembers(json, manifest);
  json.Key("checksum").String(ChecksumOver(manifest));
  json.EndObject();
}

// Read members of a manifest. A member that is missing or has another type becomes empty or 0: the checksum
// has already shown that the manifest is as written.
std::string TextOf(JsonView value) { return value.Text().value_or(""); }

std::uint64_t CountOf(JsonView value) {
  const std::string_view digits = value.Written();
  std::uint64_t count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return count;
}

Manifest::File FileOf(JsonView value) {
  return {TextOf(value.Member("name")), CountOf(value.Member("bytes")), TextOf(value.Member("checksum"))};
}

std::vector<Manifest::Option> OptionsOf(JsonView value) {
  std::vector<Manifest::Option> options;
  value.ForEachMember([&](std::string_view name, JsonView option) {
    options.push_back({std::string(name), option.Json().value_or("")});
  });
  return options;
}

// Returns whether the last member of the manifest is the right checksum of the members before it.
bool IsAsWritten(JsonView manifest) {
  const std::string end = ",\"checksum\":\"" + TextOf(manifest.Member("checksum")) + "\"}";
  std::string text = manifest.Json().value_or("");
  if (!text.ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return ChecksumOf(text + '}') == TextOf(manifest.Member("checksum"));
}

Manifest ReadMembers(JsonView json) {
  Manifest manifest;
  manifest.leafscore = TextOf(json.Member("leafscore"));
  if (const JsonView origin = json.Member("converted_from"); origin.present()) {
    manifest.origin = {TextOf(origin.Member("tool")), TextOf(origin.Member("version")),
                       TextOf(origin.Member("format")), TextOf(origin.Member("ids"))};
  }
  manifest.records_asked = CountOf(json.Member("records").Member("asked"));
  manifest.records_read = CountOf(json.Member("records").Member("read"));
  json.Member("scorers").ForEachChild([&](JsonView scorer) {
    manifest.scorers.push_back({TextOf(scorer.Member("name")),
                                TextOf(scorer.Member("type")),
                                TextOf(scorer.Member("revision")),
                                OptionsOf(scorer.Member("options")),
                                {}});
    scorer.Member("files").ForEachChild(
        [&](JsonView file) { manifest.scorers.back().files.push_back(FileOf(file)); });
  });
  json.Member("inputs").ForEachChild([&](JsonView input) { manifest.inputs.push_back(FileOf(input)); });
  if (const JsonView gold = json.Member("gold"); gold.Is(ValueKind::kObject)) manifest.gold = FileOf(gold);
  if (const JsonView base = json.Member("versus"); base.Is(ValueKind::kObject))
    manifest.versus = FileOf(base);
  const JsonView ids = json.Member("asked_ids");
  manifest.ids = CountOf(ids.Member("count"));
  manifest.without_id = CountOf(ids.Member("without_id"));
  manifest.ids_checksum = TextOf(ids.Member("checksum"));
  manifest.expected = CountOf(ids.Member("with_expected"));
  manifest.expected_checksum = TextOf(ids.Member("expected_checksum"));
  manifest.options = OptionsOf(json.Member("options"));
  json.Member("options").Member("group_by").ForEachChild([&](JsonView field) {
    manifest.group_fields.push_back(TextOf(field));
  });
  const JsonView output = json.Member("output");
  manifest.format = TextOf(output.Member("format"));
  manifest.lines = CountOf(output.Member("lines"));
  manifest.bytes = CountOf(output.Member("bytes"));
  manifest.checksum = TextOf(output.Member("checksum"));
  return manifest;
}

Manifest Read(std::string_view json, bool is_trailer, const std::string& shown) {
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  reader.Begin(json, /*lines=*/false, &table);
  const JsonView whole(table, shapes, reader.Read(0, static_cast<std::uint32_t>(json.size())).root);
  const JsonView manifest = is_trailer ? whole.Member("manifest") : whole;
  if (!IsAsWritten(manifest)) {
    throw Error(ErrorCode::kInput, shown + " was cut or changed after leafscore wrote it; score again");
  }
  if (const std::uint64_t kind = CountOf(manifest.Member("manifest_kind")); kind != kKind) {
    throw Error(ErrorCode::kInput,
                fmt::format("{} was written by the newer leafscore {}, in a format that this version does "
                            "not know (kind {}); read it with that version",
                            shown, TextOf(manifest.Member("leafscore")), kind));
  }
  return ReadMembers(manifest);
}

}  // namespace

std::string NoSuchFieldText(std::string_view field, const std::vector<std::string>& known) {
  return fmt::format("no line of scores has the field {}{}; score with --group-by {} so that they have it",
                     QuoteForMessage(field), DidYouMean(field, known), field);
}

std::string ManifestPath(const std::string& output) {
  return output.empty() || output == "-" ? "" : output + ".manifest.json";
}

std::string ProvenanceJson(const Manifest& manifest) {
  std::string text;
  JsonWriter json(text);
  json.StartObject();
  WriteMembers(json, manifest);
  json.EndObject();
  return text;
}

std::string ManifestJson(const Manifest& manifest) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  WriteManifest(json, manifest);
  return text + '\n';
}

std::string ManifestTrailer(const Manifest& manifest) {
  std::string text;
  JsonWriter json(text);
  json.StartObject();
  json.Key("manifest");
  WriteManifest(json, manifest);
  json.EndObject();
  return text + '\n';
}

Manifest ReadManifest(std::string_view json, const std::string& shown) {
  return Read(json, /*is_trailer=*/false, shown);
}

Manifest ReadTrailer(std::string_view line, const std::string& shown) {
  return Read(line, /*is_trailer=*/true, shown);
}

}  // namespace leafscore::internal
