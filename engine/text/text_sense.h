// engine/text/text_sense.h: distinguishes values from their substitutes: placeholders, messages of failures,
// refusals of models. docs/lint.md lists the texts that are known. Stateless.
#ifndef LEAFSCORE_ENGINE_TEXT_TEXT_SENSE_H_
#define LEAFSCORE_ENGINE_TEXT_TEXT_SENSE_H_

#include <cstdint>
#include <string_view>

namespace leafscore::internal {

enum class TextSense : std::uint8_t {
  kValue,        // a normal value
  kBlank,        // only blanks
  kNoValue,      // N/A, nan: common in data, but not an answer to a question
  kPlaceholder,  // TODO: unfinished, wherever it occurs
  kFailure,      // the message of a program or a service that failed
  kRefusal,      // a model that does not answer
};

// Classifies a text by its beginning, or as a whole if it is a known short text.
TextSense SenseOf(std::string_view text);

// Return whether an answer that is known to be wrong is a refusal, or the message of a failure. They look for
// certain words at its beginning, which good answers may have as well.
bool SoundsLikeRefusal(std::string_view text);
bool SoundsLikeFailure(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_TEXT_SENSE_H_
