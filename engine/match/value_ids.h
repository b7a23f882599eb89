// engine/match/value_ids.h: gives numbers to values, so that two values have the same number if and only if
// they are equal. A cell is identified by its place, form and canonical bytes; a list is identified by the
// numbers in it. The number 0 stands for no value.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_MATCH_VALUE_IDS_H_
#define LEAFSCORE_ENGINE_MATCH_VALUE_IDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/id_table.h"

namespace leafscore::internal {

using ValueId = std::uint32_t;

class ValueIds {
 public:
  enum class Form : std::uint32_t {
    kNull,
    kFalse,
    kTrue,
    kDouble,
    kDigits,
    kText,
    kList,
    kAlternatives,
    kRange
  };

  // Returns the number of a cell. For kDouble, the bytes are the double in memory.
  ValueId Cell(std::uint32_t place, Form form, std::string_view bytes) {
    return Find((std::uint64_t{place} << 4) | static_cast<std::uint64_t>(form), bytes);
  }
  // Returns the number of a named range of numbers. No cell has the number of a range.
  ValueId Range(std::uint32_t place, double name) {
    return Cell(place, Form::kRange, {reinterpret_cast<const char*>(&name), sizeof name});
  }
  // Returns the number of a list; its order matters.
  ValueId List(std::span<const ValueId> values) {
    return Find(static_cast<std::uint64_t>(Form::kList),
                {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  // Returns a number that no other value gets.
  ValueId Unique() {
    const auto id = static_cast<ValueId>(entries_.size());
    entries_.push_back({0, bytes_.size(), 0, static_cast<std::uint64_t>(Form::kAlternatives)});
    return id;
  }

  Form FormOf(ValueId id) const { return static_cast<Form>(entries_[id].kind & 15); }
  std::string_view BytesOf(ValueId id) const {
    return std::string_view(bytes_).substr(entries_[id].begin, entries_[id].size);
  }
  // Returns the value of a cell of the form kDouble or kDigits.
  double NumberOf(ValueId id) const;

  // Returns a limit above all numbers so far.
  ValueId limit() const { return static_cast<ValueId>(entries_.size()); }

  // Returns approximately the memory in use, to decide when to Clear.
  std::size_t memory_bytes() const { return bytes_.size() + entries_.size() * (sizeof(Entry) + 16); }
  void Clear() {
    entries_.resize(1);
    bytes_.clear();
    table_.Clear();
  }

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint64_t begin;
    std::uint32_t size;
    std::uint64_t kind;  // the place and, in the low four bits, the form
  };

  ValueId Find(std::uint64_t kind, std::string_view bytes) {
    const std::uint64_t hash = HashBytes(bytes, HashSeed() ^ (kind * 0x9e3779b97f4a7c15u));
    const std::uint32_t found = table_.Find(hash, [&](ValueId id) {
      return entries_[id].hash == hash && entries_[id].kind == kind && BytesOf(id) == bytes;
    });
    return found != IdTable::kNone ? found : Add(hash, kind, bytes);
  }
  ValueId Add(std::uint64_t hash, std::uint64_t kind, std::string_view bytes);

  std::vector<Entry> entries_ = std::vector<Entry>(1);
  std::string bytes_;
  IdTable table_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_VALUE_IDS_H_
