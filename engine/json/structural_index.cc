#include "engine/json/structural_index.h"

#include <simdjson.h>

#include <algorithm>
#include <new>

namespace leafscore::internal {

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
  if (text.empty()) {  // stage 1 treats this as an error; here it is a text without tokens
    parser.implementation->structural_indexes[0] = 0;
    return true;
  }
  const simdjson::error_code error = parser.implementation->stage1(
      reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), simdjson::stage1_mode::regular);
  return error == simdjson::SUCCESS || error == simdjson::EMPTY;
}

void StructuralIndex::Release() { impl_->parser = simdjson::dom::parser(); }

const std::uint32_t* StructuralIndex::begin() const {
  return impl_->parser.implementation->structural_indexes.get();
}

std::size_t StructuralIndex::size() const { return impl_->parser.implementation->n_structural_indexes; }

}  // namespace leafscore::internal
