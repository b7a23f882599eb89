#include "engine/judge/judge_line.h"

#include <algorithm>
#include <utility>

namespace leafscore::internal {
namespace {

// If this many questions in a row were answered only in a lower form, and no question was answered in the
// form first asked for, the service evidently does not know that form. A single refusal may be due to the
// question's texts.
constexpr unsigned kRefusalsThatShow = 3;

}  // namespace

void JudgeLine::SetKey(const JudgeEndpoint& endpoint, std::string new_key) {
  former_key = std::exchange(key, std::move(new_key));
  ++key_number;
  key_worked = was_renewed = false;
  headers = endpoint.headers;
  if (key.empty()) return;
  const bool is_bearer = endpoint.api_key_header == "Authorization";
  headers.push_back(endpoint.api_key_header + (is_bearer ? ": Bearer " : ": ") + key);
}

void JudgeLine::LearnForm(std::size_t first, std::size_t last, ParameterSet without) {
  left_out |= without;
  known_form = std::min(known_form, last);
  if (known_form <= form) {
    form = known_form;
    refusals_in_a_row = 0;
  } else if (first == form && ++refusals_in_a_row == kRefusalsThatShow) {
    form = last;
    refusals_in_a_row = 0;
  }
}

}  // namespace leafscore::internal
