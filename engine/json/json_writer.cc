#include "engine/json/json_writer.h"

#include <cmath>
#include <limits>

#include "engine/base/utf8.h"

namespace leafscore::internal {

JsonWriter& JsonWriter::Key(std::string_view utf8) {
  if (layout_ == JsonLayout::kOneLine) {
    AppendJsonString(out_, utf8, next_ == Next::kFurther ? ", " : "", ": ");
    next_ = Next::kMemberValue;
    return *this;
  }
  AppendJsonString(RawValue(), utf8);
  return EndKey();
}

void JsonWriter::String(std::string_view utf8) { AppendJsonString(RawValue(), utf8); }

void JsonWriter::LossyString(std::string_view bytes) { String(ReplaceInvalidUtf8(bytes)); }

void JsonWriter::Number(double value) {
  if (layout_ != JsonLayout::kIndented || std::isnan(value)) return AppendJsonNumber(RawValue(), value);
  char digits[32];
  Raw(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, value).ptr));
}

void JsonWriter::Number(std::optional<double> value) {
  Number(value.value_or(std::numeric_limits<double>::quiet_NaN()));
}

void JsonWriter::Separate() {
  if (next_ == Next::kFurther) out_ += layout_ == JsonLayout::kOneLine ? ", " : ",";
  if (layout_ == JsonLayout::kIndented) BreakLine();
}

void JsonWriter::BreakLine() {
  out_ += '\n';
  out_.append(std::size_t{2} * depth_, ' ');
}

}  // namespace leafscore::internal
