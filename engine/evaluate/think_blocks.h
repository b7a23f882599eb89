// engine/evaluate/think_blocks.h: reasoning that models leave in their answers, taken off as AssetOpsBench's
// `evaluate` does. Stateless.
#ifndef LEAFSCORE_ENGINE_EVALUATE_THINK_BLOCKS_H_
#define LEAFSCORE_ENGINE_EVALUATE_THINK_BLOCKS_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the answer without its think blocks and without white space around it. A block is "<think" in any
// case at the end of a word, anything up to the next ">", and all that follows up to the next "</think>": the
// first one, as blocks do not nest. What lacks an end stays.
// REQUIRES: valid UTF-8. COST: linear in the answer, whatever it holds.
std::string WithoutThinkBlocks(std::string_view answer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_THINK_BLOCKS_H_
