// engine/evaluate/think_blocks.h: removes the reasoning that models leave in their answers, like
// AssetOpsBench's `evaluate`. Stateless.
#ifndef LEAFSCORE_ENGINE_EVALUATE_THINK_BLOCKS_H_
#define LEAFSCORE_ENGINE_EVALUATE_THINK_BLOCKS_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the answer without its think blocks and surrounding white space. A block is "<think" in any case at
// the end of a word, anything up to the next ">", and everything up to the next "</think>"; blocks do not
// nest. A block without an end stays.
// REQUIRES: valid UTF-8. COST: linear in the answer, whatever it contains.
std::string WithoutThinkBlocks(std::string_view answer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_THINK_BLOCKS_H_
