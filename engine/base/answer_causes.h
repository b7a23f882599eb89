// engine/base/answer_causes.h: a set of causes, which say what is wrong with an answer. A value type.
#ifndef LEAFSCORE_ENGINE_BASE_ANSWER_CAUSES_H_
#define LEAFSCORE_ENGINE_BASE_ANSWER_CAUSES_H_

#include <cstdint>
#include <initializer_list>

#include "leafscore/outcome.h"

namespace leafscore::internal {

// A set of causes.
class AnswerCauses {
 public:
  constexpr AnswerCauses() = default;
  constexpr AnswerCauses(std::initializer_list<AnswerCause> causes) {
    for (const AnswerCause cause : causes) Add(cause);
  }
  static constexpr AnswerCauses FromBits(std::uint32_t bits) {
    AnswerCauses causes;
    causes.bits_ = bits;
    return causes;
  }

  constexpr void Add(AnswerCause cause) { bits_ |= 1u << static_cast<unsigned>(cause); }
  constexpr bool Has(AnswerCause cause) const { return (bits_ >> static_cast<unsigned>(cause) & 1) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::uint32_t bits() const { return bits_; }
  constexpr AnswerCauses operator&(AnswerCauses other) const { return FromBits(bits_ & other.bits_); }
  constexpr AnswerCauses operator|(AnswerCauses other) const { return FromBits(bits_ | other.bits_); }
  constexpr AnswerCauses operator-(AnswerCauses other) const { return FromBits(bits_ & ~other.bits_); }
  constexpr bool operator==(const AnswerCauses&) const = default;

  // Calls visit(AnswerCause) for each cause in the set, in the order of the enumeration.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (std::uint32_t cause = 0; cause < kAnswerCauses; ++cause) {
      if (Has(static_cast<AnswerCause>(cause))) visit(static_cast<AnswerCause>(cause));
    }
  }

 private:
  std::uint32_t bits_ = 0;
};

inline constexpr AnswerCauses kAllAnswerCauses = AnswerCauses::FromBits((1u << kAnswerCauses) - 1);
// Causes that concern the answer as a whole, whichever part of it a scorer compares.
inline constexpr AnswerCauses kCausesOfAnyScorer = {AnswerCause::kNoValue, AnswerCause::kEmpty,
                                                    AnswerCause::kRefusal, AnswerCause::kFailure,
                                                    AnswerCause::kCutOff};
// Causes that no longer apply once a scorer has read the JSON in a text.
inline constexpr AnswerCauses kCausesOfReading = {AnswerCause::kJsonText, AnswerCause::kFenced,
                                                  AnswerCause::kInProse, AnswerCause::kPythonLiteral};

// Causes that one answer alone cannot show.
inline constexpr AnswerCauses kCausesOfRuns = {AnswerCause::kSwapped, AnswerCause::kDuplicate};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_ANSWER_CAUSES_H_
