// engine/base/versus_remarks.h: the remarks on a record whose answer was compared with the answer of a base.
// Wins, losses and ties are counted from these remarks. Constants.
#ifndef LEAFSCORE_ENGINE_BASE_VERSUS_REMARKS_H_
#define LEAFSCORE_ENGINE_BASE_VERSUS_REMARKS_H_

#include <bitset>
#include <cstddef>
#include <string_view>

namespace leafscore::internal {

// In this order: a score above 0.5, a score below 0.5, and a score of 0.5; a judge that prefers the answer in
// the same place in both orders; and a tie for which no judge was needed.
enum VersusRemark : std::size_t { kWin, kLoss, kTied, kOrderFlip, kIdenticalAnswer, kVersusRemarkCount };
using VersusRemarks = std::bitset<kVersusRemarkCount>;

// From this share of order flips on, a judge decides as much by the place of an answer as by the answer
// itself. The ties that result hide this.
inline constexpr double kMostOrderFlips = 0.2;

inline constexpr std::string_view kVersusRemarks[kVersusRemarkCount] = {"win", "loss", "tie", "order_flip",
                                                                        "identical"};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_VERSUS_REMARKS_H_
