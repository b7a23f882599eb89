// engine/arrow/owned.h: owners of the structs of the Arrow C data interface. THREADS: as the structs.
#ifndef LEAFSCORE_ENGINE_ARROW_OWNED_H_
#define LEAFSCORE_ENGINE_ARROW_OWNED_H_

#include <utility>

#include "leafscore/arrow.h"

namespace leafscore::internal {

// Owns at most one ArrowSchema, ArrowArray or ArrowArrayStream, and releases it once.
template <typename Struct>
class Owned {
 public:
  Owned() = default;
  // Takes over *source and marks it as released.
  explicit Owned(Struct* source) noexcept : struct_(*source) { source->release = nullptr; }
  ~Owned() {
    if (struct_.release != nullptr) struct_.release(&struct_);
  }
  Owned(Owned&& other) noexcept : Owned(&other.struct_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(struct_, other.struct_);
    return *this;
  }

  explicit operator bool() const { return struct_.release != nullptr; }
  const Struct& operator*() const { return struct_; }
  const Struct* operator->() const { return &struct_; }
  Struct* get() { return &struct_; }
  // Moves the struct to *target, which is overwritten.
  void MoveTo(Struct* target) noexcept {
    *target = struct_;
    struct_.release = nullptr;
  }

 private:
  Struct struct_{};
};

using OwnedSchema = Owned<ArrowSchema>;
using OwnedArray = Owned<ArrowArray>;
using OwnedStream = Owned<ArrowArrayStream>;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_OWNED_H_
