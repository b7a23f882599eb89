// engine/scorers/records/omni_values.h: one side of a record as omni-extract-bench sees it: values at
// addresses within rows. An address is a path of keys from the row. The elements of an array are rows of
// their own. Null and blank texts state nothing and have no address. Rows without values do not exist.
// THREADS: one at a time; each worker owns a reader. The schema is immutable once made.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_VALUES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_VALUES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/match/path_rules.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/records/field_counts.h"
#include "engine/scorers/records/inlined_schema.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

// The rules of the schema for each place.
class OmniSchema {
 public:
  static constexpr std::uint32_t kUnknown = 0;

  struct Place {
    std::map<std::string, std::uint32_t, std::less<>> members;
    std::uint32_t element = kUnknown;
    bool is_open = false;   // its keys come from the document, so it is left out
    bool is_value = false;  // a value is asked for here
  };

  // Reads the option `schema`. ERRORS: Error(kUsage) if it is missing, refers to itself or has too many
  // places.
  explicit OmniSchema(const OptionReader& options);

  std::uint32_t root() const { return 1; }
  const Place& operator[](std::uint32_t place) const { return places_[place]; }

 private:
  void AddPlace(const OptionReader& options, InlinedSchema& schema, const InlinedSchema::Node& node);

  std::vector<Place> places_ = {{}};  // the first stands for places that the schema does not name
};

struct OmniRules {
  PathRules paths;  // of arrays; a mark means that the order counts
  OmniSchema schema;
};

struct OmniValues {
  struct Leaf {
    ValueId address;
    ValueId value;
    std::uint32_t field;  // in the paths of the reader
    NodeId node;
    bool is_asked_for;  // by the schema
  };
  // The leaves of a row are stored next to each other, sorted by address, and so are its arrays.
  struct Row {
    std::uint32_t leaves_begin = 0, leaves_end = 0;
    std::uint32_t arrays_begin = 0, arrays_end = 0;
    std::uint32_t position = 0;     // in its array
    std::uint32_t values = 0;       // including those in its arrays
    std::uint32_t asked_for = 0;    // the values that the schema asks for
    std::uint32_t object_rows = 0;  // rows in its arrays that are objects
    bool is_object = false;
  };
  struct Array {
    ValueId address;
    std::uint32_t rows_begin = 0, rows_end = 0;
    std::uint32_t values = 0;
    std::uint32_t asked_for = 0;
    bool in_order = false;
    bool is_flat = true;  // no row has an array
  };

  const LeafTable* table = nullptr;
  std::vector<Leaf> leaves;
  std::vector<Row> rows;  // the last is the whole value
  std::vector<Array> arrays;

  const Row& root() const { return rows.back(); }
};

class OmniReader {
 public:
  OmniReader(const OmniRules* rules, WorkerTools tools, ValueIds* ids)
      : rules_(rules), shapes_(tools.shapes), ids_(ids), matcher_(&rules->paths, tools.shapes) {}

  // Forgets the shapes. With `all`, also forgets everything that depends on the numbers of values.
  void BeginBatch(bool all);

  // Reads a value. A value that is not an object has no leaves. Envelopes around values are left out. In
  // answers, members that describe other members, such as total_citations, are left out, too.
  void Read(ValueRef value, bool is_answer, OmniValues& values);

  const std::vector<bool>& led_somewhere() const { return matcher_.led_somewhere(); }
  const FieldPaths& fields() const { return fields_; }

 private:
  using State = PathMatcher::State;
  // Where a value is.
  struct Where {
    std::uint32_t place;  // in the schema
    State state;
    ValueId address;
    std::uint32_t field;
  };
  // The parts of a row that is not stored yet.
  struct OpenRow {
    std::vector<OmniValues::Leaf> leaves;
    std::vector<OmniValues::Array> arrays;
  };

  void ReadValue(ValueRef value, const Where& where, OpenRow& row);
  void ReadObject(ValueRef object, const Where& where, OpenRow& row);
  void ReadArray(ValueRef array, const Where& where, OpenRow& row);
  OmniValues::Row Close(OpenRow& row);
  ValueRef WithoutEnvelope(ValueRef value) const;
  ValueId KeyOf(ValueRef leaf);

  const OmniRules* rules_;
  ShapeTable* shapes_;
  ValueIds* ids_;
  PathMatcher matcher_;
  FieldPaths fields_;
  OmniValues* values_ = nullptr;  // of the current call
  bool is_answer_ = false;
  std::string text_;
  std::vector<ValueId> key_of_;  // by number of a leaf as written; 0 if not known yet
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_VALUES_H_
