// engine/io/record_splitter.h: finds the records in one input, which it sees through a growing window. The
// input is JSON Lines or one JSON array of records; input_format.h says how the two are told apart. A UTF-8
// byte order mark at the start is skipped.
//
// Lines end in \n; lines that contain only white space are no records. Elements end at the commas of the
// array, wherever the line breaks are; an empty space between two commas is one kInvalidJson record. If the
// array itself is broken (a value directly after another, text after the closing bracket, no closing
// bracket), the records in the rest of the text cannot be identified: this is a fault, which ends the input.
// An element that the end of the input cuts off is one kTruncatedInput record. The text of a record is not
// checked.
//
// The window's owner appends bytes and calls Scan; between calls, the owner may drop the bytes before
// keep_from() and move the rest. The records found do not depend on the sizes of the pieces.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_IO_RECORD_SPLITTER_H_
#define LEAFSCORE_ENGINE_IO_RECORD_SPLITTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/record_batch.h"
#include "leafscore/files.h"

namespace leafscore::internal {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

enum class InputState : std::uint8_t {
  kMore,    // the window may grow
  kEnded,   // the input ended properly
  kBroken,  // the rest of the input could not be read
};

class RecordSplitter {
 public:
  // A record of more than max_record_bytes is rejected with the reason `too_long`. The size of a line
  // excludes its \n; an element extends from its first byte to the comma or bracket after it. REQUIRES: the
  // first byte of the input will be window[begin].
  RecordSplitter(std::size_t begin, std::size_t max_record_bytes, std::optional<InputFormat> format,
                 RejectReason too_long = RejectReason::kLineTooLong);

  // Says that the input is known to be lines, and that the window begins with a line. This line may come from
  // anywhere in the file. REQUIRES: nothing was scanned.
  void BeginInLines() { state_ = State::kLines; }

  // Says that the input is the lines of a table (table_source.h). REQUIRES: nothing was scanned.
  void BeginInRows() {
    state_ = State::kLines;
    of_table_ = true;
  }

  // Scans the new bytes of the window and appends the records that end there; positions refer to the window.
  // COST: O(new bytes); lines are found at the speed of memchr.
  void Scan(std::string_view window, InputState input, std::vector<RecordSpan>& records);

  // Returns the first position that is still needed: the start of the unfinished record. It is at most
  // max_record_bytes before the end of the window last scanned. While the format is unknown, it is at most
  // kFormatLookAhead before that end.
  std::size_t keep_from() const { return record_begin_; }

  // Tells whether the format is still unknown.
  bool finds_format() const { return state_ == State::kStart && format_; }

  bool of_table() const { return of_table_; }

  // Tells whether the input is JSON Lines. REQUIRES: a record was found.
  bool lines() const { return state_ == State::kLines; }

  // Return what is wrong with the input as a whole (empty if nothing is), and the position of this fault in
  // the window last scanned. No records are found after a fault.
  const std::string& fault() const { return fault_; }
  std::size_t fault_position() const { return scanned_; }

  // Says that the bytes from keep_from() on now begin at `position`.
  void MoveTail(std::size_t position);

 private:
  enum class State : std::uint8_t {
    kStart,          // within the byte order mark or white space before the first record
    kLines,          // within a line
    kBeforeElement,  // after the opening bracket or a comma
    kElement,        // within an element
    kAfterValue,     // after an object or array that is an element
    kAfterArray,     // after the closing bracket
    kFaulty,
  };

  void FindFormat(std::string_view window, InputState input);
  void ScanLines(std::string_view window, std::vector<RecordSpan>& records);
  void ScanArray(std::string_view window, std::vector<RecordSpan>& records);
  void ScanElement(std::string_view window, std::vector<RecordSpan>& records);
  void AddElement(std::string_view window, std::size_t end, std::vector<RecordSpan>& records);
  void EndElement(std::string_view window, std::size_t end);
  void SetFault(std::string what);
  void Finish(std::string_view window, InputState input, std::vector<RecordSpan>& records);
  void AddLine(std::string_view window, std::size_t end, RejectReason reject,
               std::vector<RecordSpan>& records) const;
  void AddBrokenRow(std::string_view window, std::size_t end, std::vector<RecordSpan>& records) const;
  void Add(std::size_t begin, std::size_t end, RejectReason reject, std::vector<RecordSpan>& records) const;
  bool TooLong(std::size_t end) const { return end - record_begin_ > max_record_bytes_; }

  std::size_t max_record_bytes_;
  RejectReason too_long_;
  std::optional<InputFormat> format_;  // as requested
  std::size_t head_bytes_;             // bytes kept of a rejected record
  State state_ = State::kStart;
  std::size_t scanned_;       // everything before it is scanned
  std::size_t record_begin_;  // start of the unfinished record; == scanned_ if there is none
  bool skipping_ = false;     // the unfinished record was too long and has been reported
  bool of_table_ = false;     // kLines: a line may be a broken row

  bool bom_checked_ = false;
  std::string fault_;
  // Arrays only.
  bool after_comma_ = false;  // kBeforeElement: an element must follow
  bool in_string_ = false;    // kElement: within a string
  bool escaped_ = false;      // kElement: the next byte is escaped
  std::uint64_t depth_ = 0;   // kElement: open brackets and braces
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_RECORD_SPLITTER_H_
