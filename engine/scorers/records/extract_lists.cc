#include "engine/scorers/records/extract_lists.h"

#include <map>
#include <vector>

#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal {
namespace {

struct ListContents {
  std::size_t size = 0;
  bool has_only_objects = true;
  bool has_lists = false;  // as members of objects
};

// Returns the keys of the arrays of objects that are expected.
std::vector<std::string_view> ExpectedArrays(const JsonView& expected, const ExtractSchema& schema) {
  std::vector<std::string_view> keys;
  expected.ForEachMember([&](std::string_view key, const JsonView& value) {
    bool has_objects = false;
    if (value.Is(ValueKind::kArray)) {
      value.ForEachChild([&](const JsonView& element) { has_objects |= element.Is(ValueKind::kObject); });
    }
    if (has_objects) keys.push_back(schema.CanonicalKey(key));
  });
  return keys;
}

ListContents ContentsOf(const JsonView& list) {
  ListContents contents;
  list.ForEachChild([&](const JsonView& element) {
    ++contents.size;
    contents.has_only_objects &= element.Is(ValueKind::kObject);
    element.ForEachMember([&](std::string_view /*key*/, const JsonView& value) {
      contents.has_lists |= value.Is(ValueKind::kArray);
    });
  });
  return contents;
}

// Returns an object with the members of an object, or with the joined lists and first values of several.
std::string JoinedObjects(const JsonView& list, const ExtractSchema& schema, bool keeps_empty) {
  struct Joined {
    std::vector<JsonView> lists;
    std::vector<JsonView> values;
  };
  std::map<std::string_view, Joined> members;
  list.ForEachChild([&](const JsonView& document) {
    document.ForEachMember([&](std::string_view key, const JsonView& value) {
      const bool is_empty = value.Is(ValueKind::kNull) || (value.IsText() && value.Written().size() == 2);
      if (is_empty && !keeps_empty) return;
      Joined& joined = members[schema.CanonicalKey(key)];
      (value.Is(ValueKind::kArray) ? joined.lists : joined.values).push_back(value);
    });
  });
  std::string text;
  JsonWriter json(text, JsonLayout::kCompact);
  json.StartObject();
  for (const auto& [key, joined] : members) {
    json.Key(key);
    if (joined.lists.empty()) {
      // Of keys of one object that differ in case, the last one counts.
      json.Raw((keeps_empty ? joined.values.back() : joined.values.front()).Written());
      continue;
    }
    json.StartArray();
    for (const JsonView& rows : joined.lists) {
      rows.ForEachChild([&](const JsonView& row) {
        if (!row.Is(ValueKind::kNull)) json.Raw(row.Written());
      });
    }
    json.EndArray();
  }
  json.EndObject();
  return text;
}

std::string RowsUnder(std::string_view key, const JsonView& list) {
  std::string text;
  JsonWriter json(text, JsonLayout::kCompact);
  json.StartObject();
  json.Key(key).Raw(list.Written());
  json.EndObject();
  return text;
}

}  // namespace

std::optional<UnwrappedList> UnwrapListAnswer(ValueRef expected, ValueRef list, const ExtractSchema& schema,
                                              const ShapeTable& shapes) {
  const JsonView answer(*list.table, shapes, list.node);
  const std::vector<std::string_view> arrays =
      ExpectedArrays(JsonView(*expected.table, shapes, expected.node), schema);
  const ListContents contents = ContentsOf(answer);
  const bool is_one_object = contents.size == 1 && contents.has_only_objects;
  if (is_one_object && !contents.has_lists && arrays.empty()) {
    return UnwrappedList{JoinedObjects(answer, schema, /*keeps_empty=*/true), ListMode::kSingletonDoc};
  }
  if (contents.has_only_objects && contents.has_lists) {
    return UnwrappedList{JoinedObjects(answer, schema, /*keeps_empty=*/false), ListMode::kWrapperMerge};
  }
  if (arrays.size() != 1) return std::nullopt;
  return UnwrappedList{RowsUnder(arrays[0], answer), ListMode::kBareRows};
}

}  // namespace leafscore::internal
