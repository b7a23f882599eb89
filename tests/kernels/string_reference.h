// tests/kernels/string_reference.h: the distance and the similarities of two strings, slowly and straight
// from their definitions.
#ifndef LEAFSCORE_TESTS_KERNELS_STRING_REFERENCE_H_
#define LEAFSCORE_TESTS_KERNELS_STRING_REFERENCE_H_

#include <cstdint>
#include <string>

namespace leafscore::internal::reference {

// The textbook recurrence on two rows (Wagner and Fischer 1974).
std::uint32_t TwoRowDistance(const std::u32string& a, const std::u32string& b);

// See kernels/jaro_winkler.h, kernels/character_jaccard.h and kernels/common_subsequence.h.
double JaroWinkler(const std::u32string& a, const std::u32string& b);
double CharacterJaccard(const std::u32string& a, const std::u32string& b);
double CommonSubsequence(const std::u32string& a, const std::u32string& b);

}  // namespace leafscore::internal::reference

#endif  // LEAFSCORE_TESTS_KERNELS_STRING_REFERENCE_H_
