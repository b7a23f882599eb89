#include "engine/run/number_marks.h"

#include <charconv>

namespace leafscore::internal {
namespace {

constexpr char kBegin = '\xff';
constexpr char kMarkEnd = '\xfe';

}  // namespace

std::string NumberMark(NumberIn in, std::uint64_t row) {
  std::string mark = {kBegin, static_cast<char>(in)};
  mark += std::to_string(row);
  mark += kMarkEnd;
  return mark;
}

bool AppendNumbered(std::string_view lines, std::uint64_t first_in_input, std::uint64_t first_in_run,
                    std::string& out) {
  for (;;) {
    const std::size_t begin = lines.find(kBegin);
    out += lines.substr(0, begin);
    if (begin == std::string_view::npos) return true;
    lines.remove_prefix(begin + 1);
    const std::size_t end = lines.find(kMarkEnd);
    if (end == std::string_view::npos || end == 0) return false;
    std::uint64_t row = 0;
    const auto [rest, error] = std::from_chars(lines.data() + 1, lines.data() + end, row);
    if (error != std::errc() || rest != lines.data() + end) return false;
    const bool in_run = lines[0] == static_cast<char>(NumberIn::kRun);
    if (!in_run && lines[0] != static_cast<char>(NumberIn::kInput)) return false;
    out += std::to_string((in_run ? first_in_run : first_in_input) + row);
    lines.remove_prefix(end + 1);
  }
}

}  // namespace leafscore::internal
