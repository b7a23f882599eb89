// Sets of characters on AVX2.
#include "kernels/set_lanes.h"

namespace leafscore::internal {

std::uint32_t CharacterJaccardOf8Avx2(const std::uint8_t* left, const std::uint32_t* left_offsets,
                                      const std::uint8_t* right, const std::uint32_t* right_offsets,
                                      double* similarity) noexcept {
  return SetLanes<32>::SimilaritiesOf8(left, left_offsets, right, right_offsets, similarity);
}

}  // namespace leafscore::internal
