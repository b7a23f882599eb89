#include "engine/evaluate/report_list.h"

#include <optional>
#include <utility>

#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "leafscore/version.h"

namespace leafscore::internal {
namespace {

// Tells whether a name is one that reports get (ReportNames). All other files belong to the user, whatever
// the list says.
bool IsReportName(std::string_view name) {
  constexpr std::string_view kNever("/\0", 2);
  return !name.starts_with('.') && name.ends_with(".json") && name.find_first_of(kNever) == name.npos;
}

}  // namespace

ReportList ParseReportList(std::string_view json) {
  ShapeTable shapes;
  JsonReader reader(&shapes);
  LeafTable table;
  reader.Begin(json, /*lines=*/false, &table);
  const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(json.size()));
  ReportList list;
  JsonView(table, shapes, result.root).Member("reports").ForEachChild([&](JsonView report) {
    std::optional<std::string> name = report.Member("name").Text();
    const std::optional<double> bytes = report.Member("bytes").Number();
    std::optional<std::string> checksum = report.Member("checksum").Text();
    if (!name || !IsReportName(*name) || !bytes || !(*bytes >= 0 && *bytes < 1e15) || !checksum) return;
    list[*std::move(name)] = {static_cast<std::uint64_t>(*bytes), *std::move(checksum)};
  });
  return list;
}

std::string ReportListJson(const ReportList& list) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  json.Key("leafscore").String(Version());
  json.Key("reports").StartArray();
  for (const auto& [name, written] : list) {
    json.StartObject();
    json.Key("name").String(name);
    json.Key("bytes").Integer(written.bytes);
    json.Key("checksum").String(written.checksum);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text + '\n';
}

}  // namespace leafscore::internal
