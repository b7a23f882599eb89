// engine/scorers/own_schemas.h: schemas that are part of the records (the option schema_key). Each schema is
// compiled once, as long as there is room to keep it. THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_OWN_SCHEMAS_H_
#define LEAFSCORE_ENGINE_SCORERS_OWN_SCHEMAS_H_

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/text_map.h"
#include "engine/config/options.h"
#include "engine/json/json_view.h"
#include "engine/match/record_field.h"
#include "engine/match/target_path.h"
#include "engine/scorers/pair_selector.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

inline constexpr OptionSpec kSchemaKeyOption{
    "schema_key", "text", "none",
    "path of the member of a record with its schema, as in schema or meta.schema"};

// Reads kSchemaKeyOption. ERRORS: Error(kUsage) if it names no member.
inline std::optional<TargetPath> ReadSchemaKey(const OptionReader& options) {
  if (!options.Has(kSchemaKeyOption.name)) return std::nullopt;
  return ReadPath(options, kSchemaKeyOption.name, options.GetText(kSchemaKeyOption.name, ""),
                  "name a member of the records, as schema or meta.schema");
}

// Compiled is the type into which a scorer compiles a schema.
template <class Compiled>
class OwnSchemas {
 public:
  // REQUIRES: `key` outlives this.
  OwnSchemas(const TargetPath* key, WorkerTools tools)
      : key_(key), field_(key, tools.shapes), texts_(tools) {}

  // Prepares for the next batch. Forgets the known shapes. Drops all compiled schemas if there are too many
  // or they are too large; earlier results of Find are then invalid. REQUIRES: called for each batch.
  void BeginBatch() {
    constexpr std::size_t kMostSchemas = 256;
    constexpr std::size_t kMostBytes = std::size_t{4} << 20;
    if (entries_.size() > kMostSchemas || bytes_ > kMostBytes) {
      entries_.clear();
      bytes_ = 0;
    }
    field_.Reset();
    texts_.Truncate(0);
  }

  // Returns the compiled schema of a record, calling compile(schema, &fault) unless the same schema was
  // compiled before. If the record has no schema, returns `others`, which may be null. If the result is null,
  // fault() returns the reason.
  template <class Compile>
  Compiled* Find(const PairSelector& selector, std::uint32_t record, Compiled* others, Compile compile) {
    ValueRef schema = selector.FieldOf(record, field_);
    if (!schema.present() || schema.kind() == ValueKind::kNull) {
      if (others == nullptr) fault_ = fmt::format("the record lacks its schema, \"{}\"", key_->text);
      return others;
    }
    if (IsString(schema.kind())) {  // JSON in a text
      ParsedText& parsed = texts_.Push();
      AppendStringText(*schema.table, schema.node, parsed.text);
      if (const JsonResult read = texts_.Read(parsed); read.root != kNoNode)
        schema = {&parsed.table, read.root};
    }
    const std::string_view text = schema.table->token(schema.node);
    auto entry = entries_.find(text);
    if (entry == entries_.end()) {
      bytes_ += text.size();
      entry = entries_.try_emplace(std::string(text)).first;
      entry->second.compiled = compile(schema, &entry->second.fault);
    }
    if (entry->second.compiled == nullptr)
      fault_ = "the schema of the record is wrong: " + entry->second.fault;
    return entry->second.compiled.get();
  }
  const std::string& fault() const { return fault_; }

  template <class Visit>
  void ForEach(Visit visit) const {
    for (const auto& [text, entry] : entries_) {
      if (entry.compiled != nullptr) visit(*entry.compiled);
    }
  }

 private:
  struct Entry {
    std::unique_ptr<Compiled> compiled;  // null: the schema is wrong
    std::string fault;
  };

  const TargetPath* key_;
  RecordField field_;
  ParsedTexts texts_;
  TextMap<std::string, Entry> entries_;
  std::size_t bytes_ = 0;
  std::string fault_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_OWN_SCHEMAS_H_
