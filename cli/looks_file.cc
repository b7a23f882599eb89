#include "cli/looks_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>

#include "cli/terminal.h"
#include "engine/base/checksum.h"
#include "engine/io/byte_source.h"
#include "engine/io/output_file.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;

// Returns the plan and its looks as JSON, without the checksum over them.
std::string PlanJson(const LookPlan& plan, double alpha) {
  std::string text;
  JsonWriter json(text);
  json.StartObject();
  json.Key("planned").Integer(plan.planned);
  json.Key("alpha").Number(alpha);
  json.Key("looks").StartArray();
  for (const Look& look : plan.earlier) {
    json.StartObject();
    json.Key("units").Integer(look.units);
    json.Key("spent").Number(look.spent);
    json.Key("digest").LossyString(look.digest);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

std::uint64_t CountOf(JsonView value) {
  const std::string_view digits = value.Written();
  std::uint64_t count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return count;
}

std::string ReadWhole(const std::string& path) {
  const std::unique_ptr<ByteSource> source = OpenByteSource(path, nullptr);
  std::string text(kMaxBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const std::size_t read = source->Read(std::as_writable_bytes(std::span(text).subspan(size)));
    if (read == 0) break;
    size += read;
  }
  text.resize(size);
  return text;
}

}  // namespace

LookPlan ReadLooks(const std::string& path, std::uint64_t planned, double alpha) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return {.planned = planned};
  const std::string text = ReadWhole(path);
  const auto refuse = [&] {
    throw Error(ErrorCode::kInput,
                path +
                    " is no whole file of looks, as --looks writes; what was spent of alpha is not known, so "
                    "plan anew on new records");
  };
  if (text.size() > kMaxBytes) refuse();
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  reader.Begin(text, /*lines=*/false, &table);
  const JsonResult parsed = reader.Read(0, static_cast<std::uint32_t>(text.size()));
  if (parsed.reason != RejectReason::kNone) refuse();
  const JsonView json(table, shapes, parsed.root);
  LookPlan plan{.planned = CountOf(json.Member("plan").Member("planned"))};
  const double planned_alpha = json.Member("plan").Member("alpha").Number().value_or(0);
  json.Member("plan").Member("looks").ForEachChild([&](JsonView look) {
    plan.earlier.push_back({CountOf(look.Member("units")), look.Member("spent").Number().value_or(1),
                            look.Member("digest").Text().value_or("")});
  });
  if (json.Member("checksum").Text() != ChecksumOf(PlanJson(plan, planned_alpha))) refuse();
  if (plan.planned != planned || planned_alpha != alpha) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{} is of looks at {} planned records with alpha {}; go on with these, as what was "
                    "spent cannot be planned again",
                    path, plan.planned, planned_alpha));
  }
  return plan;
}

void WriteLooks(const std::string& path, const LookPlan& plan, double alpha, const Look& look,
                const std::atomic<bool>* stop) {
  if (!plan.earlier.empty() && plan.earlier.back().digest == look.digest) return;
  LookPlan with_look = plan;
  with_look.earlier.push_back(look);
  const std::string body = PlanJson(with_look, alpha);
  const std::unique_ptr<OutputFile> file = OutputFile::Open(path, stop);
  PrintLeftovers(file->leftovers());
  file->Write(fmt::format("{{\"plan\":{},\"checksum\":\"{}\"}}\n", body, ChecksumOf(body)));
  file->Commit();
}

}  // namespace leafscore::internal
