#include "engine/structural_index.h"

#include <simdjson.h>

#include <algorithm>
#include <new>

namespace leafscore {

struct StructuralIndex::Impl {
  simdjson::dom::parser parser;
};

StructuralIndex::StructuralIndex() : impl_(std::make_unique<Impl>()) {}
StructuralIndex::~StructuralIndex() = default;

bool StructuralIndex::Build(std::string_view text) {
  simdjson::dom::parser& parser = impl_->parser;
  if (parser.capacity() < text.size() || parser.implementation == nullptr) {
    constexpr std::size_t kMinCapacity = 64 << 10;
    if (parser.allocate(std::max(text.size() + text.size() / 8, kMinCapacity)) != simdjson::SUCCESS) {
      throw std::bad_alloc();
    }
  }
  parser.implementation->n_structural_indexes = 0;
  if (text.empty()) {  // stage 1 calls this an error; here it is a text without tokens
    parser.implementation->structural_indexes[0] = 0;
    return true;
  }
  const simdjson::error_code error = parser.implementation->stage1(
      reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), simdjson::stage1_mode::regular);
  return error == simdjson::SUCCESS || error == simdjson::EMPTY;
}

const std::uint32_t* StructuralIndex::begin() const {
  return impl_->parser.implementation->structural_indexes.get();
}

std::size_t StructuralIndex::size() const { return impl_->parser.implementation->n_structural_indexes; }

std::size_t FindInvalidUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  std::size_t i = 0;
  while (i < text.size()) {
    // The ranges are those of the Unicode Standard, table 3-7.
    const unsigned lead = byte(i);
    const unsigned second = byte(i + 1);
    std::size_t length = 0;
    if (lead < 0x80) {
      length = 1;
    } else if (lead >= 0xc2 && lead <= 0xdf) {
      length = continues(i + 1) ? 2 : 0;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
      const unsigned high = lead == 0xed ? 0x9f : 0xbf;
      length = second >= low && second <= high && continues(i + 2) ? 3 : 0;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
      const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
      length = second >= low && second <= high && continues(i + 2) && continues(i + 3) ? 4 : 0;
    }
    if (length == 0) return i;
    i += length;
  }
  return i;
}

}  // namespace leafscore
