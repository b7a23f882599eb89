// engine/scores/padded_ids.h: explains why no records join: two files write the same ids differently.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORES_PADDED_IDS_H_
#define LEAFSCORE_ENGINE_SCORES_PADDED_IDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/text_map.h"
#include "engine/text/similar_id_key.h"

namespace leafscore::internal {

// Finds ids on two sides that differ only in case, blanks and leading zeros (SimilarIdKey): t034, T34 and
// "t34 ".
class PaddedIds {
 public:
  // Adds an id that only this side has. REQUIRES: all left ids are added before the first right one.
  void AddLeft(std::string_view id) { left_.try_emplace(SimilarIdKey(id), id); }
  void AddRight(std::string_view id);

  // Returns the number of right ids that are a left id written differently.
  std::uint64_t pairs() const { return pairs_; }

  // Returns, for example, `"t034" and "t34" are probably the same id, written differently, and so are 297
  // more; write ids the same way`. REQUIRES: pairs() > 0.
  std::string Text() const;

 private:
  TextMap<std::string, std::string> left_;  // by key
  std::uint64_t pairs_ = 0;
  std::string first_left_;
  std::string first_right_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_PADDED_IDS_H_
