#include "engine/io/record_splitter.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/limits.h"
#include "engine/io/input_format.h"
#include "engine/io/table_source.h"

namespace leafscore::internal {
namespace {

// 64 bytes of text, which are all compared with a character at once. The comparison uses plain 64-bit
// arithmetic (eight bytes a step), so the result is the same on every machine.
class ByteBlock {
 public:
  static constexpr std::size_t kBytes = 64;

  // Takes the first 64 bytes of `text`, padded with zeros.
  explicit ByteBlock(std::string_view text) {
    static_assert(std::endian::native == std::endian::little, "bit i must be byte i");
    if (text.size() >= kBytes) {
      std::memcpy(words_, text.data(), kBytes);  // a fixed size, so that it is inlined
    } else {
      std::memcpy(words_, text.data(), text.size());
    }
  }

  // Returns a word in which bit i is set if byte i, with the bits of `ignored` set, equals c.
  std::uint64_t Equal(char c, std::uint8_t ignored = 0) const {
    const std::uint64_t wanted = kOnes * static_cast<std::uint8_t>(c);
    std::uint64_t mask = 0;
    for (std::size_t w = 0; w < kBytes / 8; ++w) {
      const std::uint64_t x = (words_[w] | kOnes * ignored) ^ wanted;    // zero where the bytes are equal
      const std::uint64_t equal = ~(((x & kLow7) + kLow7) | x | kLow7);  // sets their high bits
      mask |= (equal * kGather >> 56) << (8 * w);
    }
    return mask;
  }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101u;
  static constexpr std::uint64_t kLow7 = 0x7f7f7f7f7f7f7f7fu;
  static constexpr std::uint64_t kGather = 0x0002040810204081u;  // moves the high bit of byte k to bit 56 + k

  std::uint64_t words_[kBytes / 8] = {};
};

// Returns a word in which bit i is set if an odd number of the bits 0..i of `bits` are set.
inline std::uint64_t PrefixParity(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// Returns the bytes that a backslash escapes: bit i + 1 for every backslash i that is not itself escaped.
// `carry` says whether byte 0 is escaped; on return, it says whether byte 64 is.
inline std::uint64_t EscapedBytes(std::uint64_t backslashes, bool& carry) {
  std::uint64_t escaped = carry ? 1 : 0;
  carry = false;
  for (; backslashes != 0; backslashes &= backslashes - 1) {
    const int i = std::countr_zero(backslashes);
    if ((escaped >> i & 1) != 0) continue;
    if (i == 63) carry = true;
    if (i < 63) escaped |= std::uint64_t{2} << i;
  }
  return escaped;
}

constexpr std::uint8_t kBraceOrBracket = '{' ^ '[';  // == '}' ^ ']'

}  // namespace

RecordSplitter::RecordSplitter(std::size_t begin, std::size_t max_record_bytes,
                               std::optional<InputFormat> format, RejectReason too_long)
    : max_record_bytes_(max_record_bytes),
      too_long_(too_long),
      format_(format),
      head_bytes_(std::min(kRejectHeadBytes, max_record_bytes)),
      scanned_(begin),
      record_begin_(begin) {}

void RecordSplitter::MoveTail(std::size_t position) {
  scanned_ = position + (scanned_ - record_begin_);
  record_begin_ = position;
}

void RecordSplitter::Scan(std::string_view window, InputState input, std::vector<RecordSpan>& records) {
  if (state_ == State::kStart) FindFormat(window, input);
  if (state_ == State::kStart) return;
  if (state_ == State::kLines) {
    ScanLines(window, records);
  } else {
    ScanArray(window, records);
  }
  const bool in_record = state_ == State::kLines || state_ == State::kElement || state_ == State::kAfterValue;
  if (in_record && !skipping_ && TooLong(window.size())) {
    Add(record_begin_, window.size(), too_long_, records);
    skipping_ = true;
  }
  if (input != InputState::kMore) Finish(window, input, records);
  if (skipping_) record_begin_ = window.size();
}

void RecordSplitter::FindFormat(std::string_view window, InputState input) {
  if (!bom_checked_) {
    if (window.size() - scanned_ < kByteOrderMark.size() && input == InputState::kMore) return;
    if (window.substr(scanned_).starts_with(kByteOrderMark)) scanned_ += kByteOrderMark.size();
    bom_checked_ = true;
  }
  record_begin_ = scanned_ = SkipJsonSpace(window, scanned_);
  if (scanned_ == window.size()) return;
  if (!format_) {
    state_ = State::kLines;
    return;
  }
  constexpr std::size_t look_ahead = kFormatLookAhead.default_value;
  const std::string_view head = window.substr(scanned_, look_ahead);
  const bool no_more = input != InputState::kMore || head.size() == look_ahead;
  const std::optional<FoundFormat> found = FindInputFormat(*format_, head, no_more);
  if (!found) return;
  if (!found->fault.empty()) return SetFault(found->fault);
  state_ = found->is_array ? State::kBeforeElement : State::kLines;
  if (found->is_array) record_begin_ = ++scanned_;
}

void RecordSplitter::SetFault(std::string what) {
  fault_ = std::move(what);
  record_begin_ = scanned_;
  state_ = State::kFaulty;
}

void RecordSplitter::ScanLines(std::string_view window, std::vector<RecordSpan>& records) {
  const char* const bytes = window.data();
  while (scanned_ < window.size()) {
    const void* newline = std::memchr(bytes + scanned_, '\n', window.size() - scanned_);
    if (newline == nullptr) break;
    const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - bytes);
    if (!skipping_) AddLine(window, end, RejectReason::kNone, records);
    skipping_ = false;
    scanned_ = record_begin_ = end + 1;
  }
  scanned_ = window.size();
}

void RecordSplitter::ScanArray(std::string_view window, std::vector<RecordSpan>& records) {
  while (scanned_ < window.size()) {
    switch (state_) {
      case State::kElement:
        ScanElement(window, records);
        break;
      case State::kBeforeElement: {
        record_begin_ = scanned_ = SkipJsonSpace(window, scanned_);
        if (scanned_ == window.size()) return;
        const char next = window[scanned_];
        if (next == ',' || (next == ']' && after_comma_)) {
          Add(scanned_, scanned_, RejectReason::kInvalidJson, records);
        }
        if (next == ',' || next == ']') {
          EndElement(window, scanned_);
        } else {
          state_ = State::kElement;
        }
        break;
      }
      case State::kAfterValue:
        scanned_ = SkipJsonSpace(window, scanned_);
        if (scanned_ == window.size()) return;
        AddElement(window, scanned_, records);
        if (window[scanned_] != ',' && window[scanned_] != ']') {
          return SetFault("neither a comma nor ] follows an element of the array of records");
        }
        EndElement(window, scanned_);
        break;
      case State::kAfterArray:
        record_begin_ = scanned_ = SkipJsonSpace(window, scanned_);
        if (scanned_ == window.size()) return;
        return SetFault(
            "text follows the array of records; if each line is a record, say --input-format jsonl");
      default:
        return;
    }
  }
}

// Works on blocks of 64 bytes, with one bit for each byte. If a block has fewer closing brackets than are
// open before it, the element cannot end in it, and only the numbers of brackets matter.
void RecordSplitter::ScanElement(std::string_view window, std::vector<RecordSpan>& records) {
  while (scanned_ < window.size()) {
    const std::size_t size = std::min(window.size() - scanned_, ByteBlock::kBytes);
    const ByteBlock block(window.substr(scanned_));
    bool escaped_after = escaped_;
    const std::uint64_t escaped = EscapedBytes(block.Equal('\\'), escaped_after);
    const std::uint64_t quotes = block.Equal('"') & ~escaped;
    const std::uint64_t in_string = PrefixParity(quotes) ^ (in_string_ ? ~std::uint64_t{0} : 0);
    const std::uint64_t opens = block.Equal('{', kBraceOrBracket) & ~in_string;
    const std::uint64_t closes = block.Equal('}', kBraceOrBracket) & ~in_string;
    const auto close_count = static_cast<std::uint64_t>(std::popcount(closes));

    if (depth_ > close_count) {
      depth_ += static_cast<std::uint64_t>(std::popcount(opens)) - close_count;
    } else {
      std::uint64_t marks = opens | closes | (block.Equal(',') & ~in_string);
      for (; marks != 0; marks &= marks - 1) {
        const int bit = std::countr_zero(marks);
        const std::size_t position = scanned_ + static_cast<std::size_t>(bit);
        const char c = window[position];
        if (depth_ == 0 && (c == ',' || c == ']')) {
          AddElement(window, position, records);
          EndElement(window, position);
          return;
        }
        if ((opens >> bit & 1) != 0) {
          ++depth_;
        } else if (c != ',' && depth_ > 0 && --depth_ == 0) {
          state_ = State::kAfterValue;
          scanned_ = position + 1;
          return;
        }
      }
    }
    in_string_ = in_string >> 63 != 0;
    escaped_ = size == ByteBlock::kBytes ? escaped_after : (escaped >> size & 1) != 0;
    scanned_ += size;
  }
}

void RecordSplitter::AddElement(std::string_view window, std::size_t end, std::vector<RecordSpan>& records) {
  if (skipping_) {
    skipping_ = false;
    return;
  }
  if (TooLong(end)) {
    Add(record_begin_, end, too_long_, records);
    return;
  }
  Add(record_begin_, TrimEnd(window, record_begin_, end), RejectReason::kNone, records);
}

void RecordSplitter::EndElement(std::string_view window, std::size_t end) {
  after_comma_ = window[end] == ',';
  state_ = after_comma_ ? State::kBeforeElement : State::kAfterArray;
  in_string_ = false;
  escaped_ = false;
  depth_ = 0;
  record_begin_ = scanned_ = end + 1;
}

void RecordSplitter::Finish(std::string_view window, InputState input, std::vector<RecordSpan>& records) {
  const bool in_array =
      state_ == State::kBeforeElement || state_ == State::kElement || state_ == State::kAfterValue;
  if (in_array) {
    if (!skipping_) {
      Add(record_begin_, TrimEnd(window, record_begin_, window.size()), RejectReason::kTruncatedInput,
          records);
    }
    SetFault("the array of records is not closed; if each line is a record, say --input-format jsonl");
  } else if (state_ == State::kLines && !skipping_) {
    AddLine(window, window.size(),
            input == InputState::kBroken ? RejectReason::kTruncatedInput : RejectReason::kNone, records);
  }
  record_begin_ = window.size();
}

void RecordSplitter::AddLine(std::string_view window, std::size_t end, RejectReason reject,
                             std::vector<RecordSpan>& records) const {
  if (of_table_ && record_begin_ != end && window[record_begin_] == kBrokenRowMark) {
    return AddBrokenRow(window, end, records);
  }
  if (TooLong(end)) {
    Add(record_begin_, end, too_long_, records);
    return;
  }
  const std::size_t trimmed_end = TrimEnd(window, record_begin_, end);
  if (trimmed_end == record_begin_) return;
  Add(SkipJsonSpace(window, record_begin_), trimmed_end, reject, records);
}

// Adds the object of a broken row. The reason stands before the object.
void RecordSplitter::AddBrokenRow(std::string_view window, std::size_t end,
                                  std::vector<RecordSpan>& records) const {
  const std::size_t sentence_end = std::min(window.find('\0', record_begin_), end);
  Add(std::min(sentence_end + 1, end), end, RejectReason::kInvalidRow, records);
}

void RecordSplitter::Add(std::size_t begin, std::size_t end, RejectReason reject,
                         std::vector<RecordSpan>& records) const {
  if (reject != RejectReason::kNone) end = std::min(end, begin + head_bytes_);
  records.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), reject});
}

}  // namespace leafscore::internal
