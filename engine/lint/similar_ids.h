// engine/lint/similar_ids.h: finds ids that differ only in case, blanks and leading zeros.
// THREADS: immutable once made; any number may look up.
#ifndef LEAFSCORE_ENGINE_LINT_SIMILAR_IDS_H_
#define LEAFSCORE_ENGINE_LINT_SIMILAR_IDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/lint/text_numbers.h"
#include "engine/text/similar_id_key.h"

namespace leafscore::internal {

class SimilarIds {
 public:
  explicit SimilarIds(const TextNumbers& ids) {
    for (std::uint32_t id = 0; id < ids.size(); ++id) {
      key_of_.push_back(keys_.Add(SimilarIdKey(ids.text(id))));
      if (key_of_.back() == first_.size()) first_.push_back(id);
    }
  }

  // Returns the number of the first id that differs from `id` at most in this way; TextNumbers::kNone if
  // there is no such id.
  std::uint32_t Find(std::string_view id) const {
    const std::uint32_t key = keys_.Find(SimilarIdKey(id));
    return key == TextNumbers::kNone ? key : first_[key];
  }

  // The same for the id of a number.
  std::uint32_t FirstLike(std::uint32_t id) const { return first_[key_of_[id]]; }

 private:
  TextNumbers keys_;
  std::vector<std::uint32_t> first_;   // by key: the first id that has it
  std::vector<std::uint32_t> key_of_;  // by id
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_SIMILAR_IDS_H_
