// engine/base/packed_bytes.h: values written one after another as bytes, in this machine's byte order, for
// files that only the same program reads again. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_BASE_PACKED_BYTES_H_
#define LEAFSCORE_ENGINE_BASE_PACKED_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace leafscore::internal {

// Numbers and enumerations, but not structures, whose padding would be written as well.
template <class T>
concept Packable = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class PackedWriter {
 public:
  // Appends to `out`, which must outlive the writer.
  explicit PackedWriter(std::string& out) : out_(out) {}

  template <Packable T>
  void Value(T value) {
    Values(value);
  }
  // Appends several values at once, in about the time that one value takes.
  template <Packable... T>
  void Values(T... values) {
    char bytes[(sizeof values + ...)];
    char* end = bytes;
    ((std::memcpy(end, &values, sizeof values), end += sizeof values), ...);
    out_.append(bytes, sizeof bytes);
  }
  void Text(std::string_view text) {
    Value<std::uint64_t>(text.size());
    out_ += text;
  }
  template <Packable T>
  void Array(const std::vector<T>& values) {
    Text({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }

 private:
  std::string& out_;
};

// Reads back, value by value, the bytes that a PackedWriter wrote. Reading past the end gives zeros and empty
// texts, and clears good().
class PackedReader {
 public:
  explicit PackedReader(std::string_view bytes) : rest_(bytes) {}

  // Returns whether every value so far was there.
  bool good() const { return good_; }
  // Returns whether every value was there and no bytes are left.
  bool done() const { return good_ && rest_.empty(); }

  template <Packable T>
  T Value() {
    if constexpr (std::is_same_v<T, bool>) return Value<std::uint8_t>() != 0;  // any other byte is not a bool
    T value{};
    const std::string_view bytes = Take(sizeof value);
    if (good_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view Text() { return Take(Value<std::uint64_t>()); }
  template <Packable T>
  std::vector<T> Array() {
    const std::string_view bytes = Text();
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  std::string_view Take(std::uint64_t size) {
    good_ = good_ && size <= rest_.size();
    if (!good_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_PACKED_BYTES_H_
