// engine/scorers/records/extract_values.h: one side of a record, read into rows of numbered cells as the
// schema describes them. Two cells are equal by Python's rules exactly if their numbers are equal. THREADS:
// one at a time; each worker owns a reader.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_VALUES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/match/path_rules.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/records/extract_schema.h"

namespace leafscore::internal {

// The options of the revision.
struct ExtractRules {
  PathRules paths;                         // of fields with normalisers; marks are indexes of `normalisers`
  std::vector<std::uint32_t> normalisers;  // bit k is set for the k-th of kExtractNormaliserNames
  std::string any_of_key;                  // empty if the option is not given
  ExtractSchema schema;
};

// A cell on one side. A text has the id of its form with folded white space. If the options have normalisers,
// `exact` distinguishes further values.
struct ExtractCell {
  ValueId id = 0;     // 0 if there is no cell
  ValueId exact = 0;  // for a text as it is, for false (which has the id of 0) and for null; otherwise 0
};

struct ExtractValues {
  // The cells and the arrays of a row are each stored next to each other, in the order of the row's layout.
  struct Row {
    std::uint32_t cells = 0;
    std::uint32_t arrays = 0;
    std::uint32_t leaves = 0;  // all cells in it, including those of its arrays
  };
  struct Array {
    std::uint32_t rows = 0;  // the first row
    std::uint32_t size = 0;
    std::uint32_t leaves = 0;
    bool present = false;
  };
  // A member of the whole value that the schema does not name.
  struct Extra {
    std::string_view key;
    std::uint32_t field;
    std::uint32_t cell;
  };
  // The alternatives and normalisers of an expected cell.
  struct Note {
    std::uint32_t begin = 0;  // of its alternatives
    std::uint32_t end = 0;
    std::uint32_t normalisers = 0;
  };

  std::vector<ValueId> ids;            // by cell
  std::vector<ValueId> exact;          // by cell; empty without normalisers
  std::vector<ValueRef> values;        // by cell; empty unless values are kept
  std::vector<std::uint32_t> note_of;  // index of notes by cell, 0 without one; empty without such options
  std::vector<Note> notes;
  std::vector<ExtractCell> alternatives;
  std::vector<Row> rows;  // the first is the whole value
  std::vector<Array> arrays;
  std::vector<Extra> extras;  // sorted by key

  void Clear();
  ExtractCell Cell(std::uint32_t cell) const { return {ids[cell], exact.empty() ? 0 : exact[cell]}; }
  ValueRef ValueOf(std::uint32_t cell) const { return values.empty() ? ValueRef() : values[cell]; }
  const Note& NoteOf(std::uint32_t cell) const { return notes[note_of.empty() ? 0 : note_of[cell]]; }
};

// Calls visit(field, cell, likeness) for each cell of a row of `values`.
template <class Visit>
void ForEachCell(const ExtractSchema& schema, const ExtractValues& values, const RowLayout& layout,
                 const ExtractValues::Row& row, Visit visit) {
  for (std::uint32_t c = 0; c < layout.columns.size(); ++c) {
    const RowLayout::Column& column = layout.columns[c];
    if (values.ids[row.cells + c] != 0) visit(column.field, row.cells + c, column.likeness);
  }
  for (std::uint32_t a = 0; a < layout.arrays.size(); ++a) {
    const ExtractValues::Array& array = values.arrays[row.arrays + a];
    for (std::uint32_t i = 0; i < array.size; ++i) {
      ForEachCell(schema, values, schema.layout(layout.arrays[a]), values.rows[array.rows + i], visit);
    }
  }
}

class ExtractReader {
 public:
  // Keeps the values themselves only if the details list leaves.
  ExtractReader(const ExtractRules* rules, WorkerTools tools, ValueIds* ids);

  // Forgets the shapes and fields of the previous batch.
  void BeginBatch();

  // Reads an object. RETURNS: false if its rows have too many cells.
  bool Read(ValueRef object, bool is_expected, ExtractValues& values);

  // Returns the path of a field, also of a field that is not in the schema.
  std::string_view FieldPath(std::uint32_t field) const;
  std::uint32_t field_count() const {
    return static_cast<std::uint32_t>(rules_->schema.fields().size() + other_fields_.size());
  }

  // Returns, for each pattern in the options, whether it led somewhere.
  const std::vector<bool>& led_somewhere() const { return matcher_.led_somewhere(); }

 private:
  using State = PathMatcher::State;
  // The positions of the members of an object of the schema, in the shape that was looked up last.
  struct KnownShape {
    bool known = false;
    ShapeId shape = 0;
    std::vector<std::uint32_t> positions;  // by member
    std::vector<std::uint32_t> others;     // of members that the schema does not name; only at the root
  };
  // A value, and whether it is a default. Texts of defaults are not read as dates.
  struct Source {
    ValueRef value = {};
    bool is_default = false;
  };

  void ReadRow(const RowLayout& layout, Source source, State state, std::uint32_t row);
  void ReadObject(const RowLayout& layout, std::uint32_t object, Source source, State state,
                  const ExtractValues::Row& row);
  void AddCells(std::size_t more);
  void SetCell(std::uint32_t cell, ExtractCell value);
  ExtractValues::Array ReadArray(const RowLayout& layout, Source source, State state);
  void ReadOthers(ValueRef object, std::size_t first_child);
  void ReadCell(Source source, State state, std::uint32_t cell);
  bool ReadAlternatives(Source source, std::uint32_t cell, ExtractValues::Note& note);
  ExtractCell CellOf(Source source);
  ExtractCell TextCell(Source source);
  ValueId IdOf(Source source);
  ValueId NumberId(std::string_view token);
  ValueId ContainerId(Source source);
  std::string_view TextOf(Source source);
  const KnownShape& MembersOf(const RowLayout::Object& object, ShapeId shape, bool is_root);
  ValueRef DefaultOf(std::uint32_t number);
  std::uint32_t OtherField(std::string_view key);
  State NextState(State state, PathRules::Symbol symbol) {
    return rules_->paths.empty() ? state : matcher_.Next(state, symbol);
  }

  const ExtractRules* rules_;
  ShapeTable* shapes_;
  bool keeps_values_;
  ValueIds* ids_;
  PathMatcher matcher_;
  ParsedTexts default_texts_;
  std::vector<ValueRef> defaults_;  // by number; absent ones are not read yet
  std::vector<KnownShape> known_;   // by number of the object
  std::vector<NodeId> children_;    // of the objects that are being read
  std::vector<std::string> other_fields_;
  TextMap<std::string, std::uint32_t> field_of_other_;
  std::string unescaped_;
  std::string iso_;
  std::string folded_;

  ExtractValues* values_ = nullptr;  // of the current call
  bool is_expected_ = false;
  bool fits_ = true;
  std::uint32_t leaves_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_VALUES_H_
