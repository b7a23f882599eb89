// engine/base/versus_remarks.h: the remarks on a record that was compared with the answer of a base, from
// which wins, losses and ties are counted. Constants.
#ifndef LEAFSCORE_ENGINE_BASE_VERSUS_REMARKS_H_
#define LEAFSCORE_ENGINE_BASE_VERSUS_REMARKS_H_

#include <bitset>
#include <cstddef>
#include <string_view>

namespace leafscore::internal {

// A score above 0.5, below it, or 0.5; a judge that names the answer in one place as better in both orders;
// and a tie for which no judge was needed.
enum VersusRemark : std::size_t { kWin, kLoss, kTied, kOrderFlip, kIdenticalAnswer, kVersusRemarkCount };
using VersusRemarks = std::bitset<kVersusRemarkCount>;

// From this share of order flips on, a judge decides as much by place as by the answers, and ties hide it.
inline constexpr double kMostOrderFlips = 0.2;

inline constexpr std::string_view kVersusRemarks[kVersusRemarkCount] = {"win", "loss", "tie", "order_flip",
                                                                        "identical"};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_VERSUS_REMARKS_H_
