// engine/lint/similar_ids.h: finds ids that differ only in case, blanks and leading zeros.
// THREADS: immutable once made; any number may look up.
#ifndef LEAFSCORE_ENGINE_LINT_SIMILAR_IDS_H_
#define LEAFSCORE_ENGINE_LINT_SIMILAR_IDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/id_table.h"
#include "engine/lint/text_numbers.h"
#include "engine/text/similar_id_key.h"

namespace leafscore::internal {

class SimilarIds {
 public:
  // REQUIRES: the ids outlive this.
  explicit SimilarIds(const TextNumbers& ids);

  // Returns the number of the first id that equals `id` in this sense; TextNumbers::kNone if there is none.
  std::uint32_t Find(std::string_view id) const;

 private:
  const TextNumbers& ids_;
  IdTable first_;  // among the ids with one key
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_SIMILAR_IDS_H_
