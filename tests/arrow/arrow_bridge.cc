// tests/arrow/arrow_bridge.cc: a library that pyarrow_test.py loads, to hand Arrow data to the engine and
// back. Every function takes over what it is given, sets `out` and returns null, or returns what went wrong.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/arrow/column_builder.h"
#include "engine/arrow/exported.h"
#include "engine/arrow/record_columns.h"
#include "engine/arrow/streams.h"
#include "engine/arrow/text_array.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

const ArrowField kText{"text", ArrowType::kText};
const ArrowField kBytes{"bytes", ArrowType::kNumber};
const ArrowField kIsLong{"is_long", ArrowType::kBool};
const ArrowField kPieces{"pieces",
                         ArrowType::kList,
                         true,
                         {{"item",
                           ArrowType::kStruct,
                           false,
                           {{"path", ArrowType::kText, false},
                            {"expected", ArrowType::kText},
                            {"actual", ArrowType::kText},
                            {"similarity", ArrowType::kNumber, false}}}}};
const ArrowField kScorer{"scorer", ArrowType::kStruct, false, {kText, kBytes, kIsLong, kPieces}};

template <typename Call>
const char* Try(const Call& call) {
  static std::string error;
  try {
    call();
    return nullptr;
  } catch (const std::exception& e) {
    error = e.what();
    return error.c_str();
  }
}

// Reads contiguous texts by their own description.
void CheckContiguous(const TextArray& texts) {
  const auto contiguous = texts.Contiguous();
  if (!contiguous) return;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    const bool wide = contiguous->offsets32.empty();
    const std::int64_t begin = wide ? contiguous->offsets64[row] : contiguous->offsets32[row];
    const std::int64_t end = wide ? contiguous->offsets64[row + 1] : contiguous->offsets32[row + 1];
    const std::size_t bit = contiguous->validity_offset + row;
    const bool is_null =
        contiguous->validity != nullptr && (contiguous->validity[bit / 8] >> (bit % 8) & 1) == 0;
    const auto text =
        contiguous->bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    if (is_null != texts.is_null(row) || (!is_null && text != texts.text(row))) {
      throw Error(ErrorCode::kInternal, "the contiguous texts differ at row " + std::to_string(row));
    }
  }
}

void AppendTexts(const TextArray& texts, ColumnBuilder& builder) {
  builder.Reserve(texts.size());
  for (std::size_t row = 0; row < texts.size(); ++row) {
    if (texts.is_null(row)) {
      builder.AppendNull();
    } else {
      builder.AppendText(texts.text(row));
    }
  }
}

// A scorer's row about a text: itself, its length, and a piece for each of its bytes; all null for a null.
void AppendRow(const TextArray& texts, std::size_t row, ColumnBuilder& scorer) {
  if (texts.is_null(row)) {
    for (std::size_t i = 0; i < kScorer.children.size(); ++i) scorer.child(i).AppendNull();
  } else {
    const std::string_view text = texts.text(row);
    scorer.child(0).AppendText(text);
    scorer.child(1).AppendNumber(static_cast<double>(text.size()));
    scorer.child(2).AppendBool(text.size() > 12);
    ColumnBuilder& piece = scorer.child(3).child(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      piece.child(0).AppendText(std::to_string(i));
      piece.child(1).AppendText(text.substr(i, 1));
      if (i % 2 == 0) {
        piece.child(2).AppendNull();
      } else {
        piece.child(2).AppendText(text.substr(i, 1));
      }
      piece.child(3).AppendNumber(i % 2 == 0 ? 0 : 1);
      piece.AppendStruct();
    }
    scorer.child(3).AppendList();
  }
  scorer.AppendStruct();
}

// Keeps one column of a stream and makes another of the texts in one.
class Bridge : public StreamProducer {
 public:
  Bridge(ArrowArrayStream* in, std::string_view text_column, std::string_view kept_column)
      : reader_(in),
        text_column_(ColumnNames(reader_.schema()).Find(text_column)),
        kept_column_(ColumnNames(reader_.schema()).Find(kept_column)),
        type_(ReadTextType(*reader_.schema().children[text_column_])) {}

  OwnedSchema Schema() override {
    std::vector<OwnedSchema> columns;
    columns.push_back(CopySchema(*reader_.schema().children[kept_column_]));
    columns.push_back(ExportField(kScorer));
    return ExportRecordSchema(std::move(columns));
  }

  OwnedArray Next() override {
    OwnedArray batch = reader_.Next();
    if (!batch) return OwnedArray();
    CheckRecordBatch(reader_.schema(), *batch);
    const TextArray texts(type_, *batch->children[text_column_], batch->offset, batch->length);
    for (std::size_t row = 0; row < texts.size(); ++row) AppendRow(texts, row, scorer_);
    std::vector<OwnedArray> columns;
    columns.push_back(TakeColumn(batch, kept_column_));
    columns.push_back(scorer_.Finish());
    return ExportRecordBatch(batch->length, std::move(columns));
  }

 private:
  StreamReader reader_;
  std::size_t text_column_;
  std::size_t kept_column_;
  TextType type_;
  ColumnBuilder scorer_{kScorer};
};

}  // namespace
}  // namespace leafscore::internal

using namespace leafscore::internal;  // NOLINT: the functions below must lie outside of namespaces

// Reads any column of texts and gives it out as utf8.
extern "C" LEAFSCORE_EXPORT const char* CopyTexts(ArrowSchema* in_schema, ArrowArray* in_array,
                                                  ArrowSchema* out_schema, ArrowArray* out_array) {
  const OwnedSchema schema(in_schema);
  const OwnedArray array(in_array);
  return Try([&] {
    const TextArray texts(ReadTextType(*schema), *array, 0, array->length);
    CheckContiguous(texts);
    ColumnBuilder builder(kText);
    AppendTexts(texts, builder);
    ExportField(kText).MoveTo(out_schema);
    builder.Finish().MoveTo(out_array);
  });
}

// Gives out one member of an array of structs.
extern "C" LEAFSCORE_EXPORT const char* TakeMember(ArrowSchema* in_schema, ArrowArray* in_array,
                                                   const char* name, ArrowSchema* out_schema,
                                                   ArrowArray* out_array) {
  const OwnedSchema schema(in_schema);
  OwnedArray array(in_array);
  return Try([&] {
    const std::size_t column = ColumnNames(*schema).Find(name);
    CheckRecordBatch(*schema, *array);
    CopySchema(*schema->children[column]).MoveTo(out_schema);
    TakeColumn(array, column).MoveTo(out_array);
  });
}

// Gives out a stream with a kept column and one that a scorer might give.
extern "C" LEAFSCORE_EXPORT const char* ConnectStreams(ArrowArrayStream* in, const char* text_column,
                                                       const char* kept_column, ArrowArrayStream* out) {
  return Try([&] { ExportStream(std::make_unique<Bridge>(in, text_column, kept_column), out); });
}

// Gives out what a Runner makes of a stream with the columns expected and actual; `keep` and `group` are
// columns.
extern "C" LEAFSCORE_EXPORT const char* ScoreStream(ArrowArrayStream* in, const char* config,
                                                    const char* keep, const char* group,
                                                    ArrowArrayStream* out) {
  return Try([&] {
    const leafscore::Runner runner(leafscore::Plan::FromConfig(config),
                                   {.details = leafscore::DetailLevel::kLeaves});
    runner.ScoreStream(in, {.keep = {keep}, .group_by = {group}}, out);
  });
}
