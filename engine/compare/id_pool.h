// engine/compare/id_pool.h: many ids, numbered in order of first use, in little more memory than their texts.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_COMPARE_ID_POOL_H_
#define LEAFSCORE_ENGINE_COMPARE_ID_POOL_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>

#include "engine/base/id_table.h"

namespace leafscore::internal {

class IdPool {
 public:
  // Returns the number of an id, a new one at its first use.
  // ERRORS: Error(kInput) for 2^32 - 1 ids, or one of 4 GiB. COST: memory: the text, 12 bytes and, until
  //         EndAdding, 8 to 16 more.
  std::uint32_t Add(std::string_view id);

  // Frees what only Add and Find need. REQUIRES: neither is called later.
  void EndAdding() { table_ = {}; }

  std::size_t size() const { return places_.size(); }
  std::string_view operator[](std::uint32_t number) const;

 private:
  std::deque<const char*> places_;  // of the length of a text, with the text behind it
  std::deque<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;  // in the latest block
  std::size_t left_ = 0;  // of it
  IdTable table_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_ID_POOL_H_
