#define PCRE2_CODE_UNIT_WIDTH 16
#include "engine/languages/javascript_regex.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <new>

#include "engine/languages/javascript_pattern.h"

namespace leafscore::internal {
namespace {

// A search may take kFewSteps plus kStepsPerUnit for each code unit of the text, but at most kMostSteps. This
// is enough for any reasonable search. kMostSteps take some seconds.
constexpr std::uint64_t kFewSteps = 10'000'000;
constexpr std::uint64_t kStepsPerUnit = 100;
constexpr std::uint64_t kMostSteps = 500'000'000;
constexpr std::uint32_t kHeapKib = 64 << 10;

struct FreePcre {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
template <class Type>
using PcrePointer = std::unique_ptr<Type, FreePcre>;

struct StepCounter {
  std::uint64_t left;
  const std::atomic<bool>* stop;  // may be null
  PCRE2_SIZE at = 0;
};

// Called before each item of the pattern. Counts the text that an item has skipped, too.
int CountStep(pcre2_callout_block* block, void* data) {
  auto& steps = *static_cast<StepCounter*>(data);
  if (steps.stop != nullptr && steps.stop->load(std::memory_order_relaxed)) return PCRE2_ERROR_CALLOUT;
  const PCRE2_SIZE at = block->current_position;
  const std::uint64_t passed = 1 + (at > steps.at ? at - steps.at : 0);
  steps.at = at;
  if (passed > steps.left) return PCRE2_ERROR_MATCHLIMIT;
  steps.left -= passed;
  return 0;
}

PCRE2_SPTR UnitsOf(const std::u16string& text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

struct JavaScriptRegex::Code {
  PcrePointer<pcre2_code> code;
  JavaScriptFlags flags;
};

JavaScriptRegex::JavaScriptRegex(std::string_view pattern, std::string_view flags)
    : code_(std::make_unique<Code>()) {
  if (!code_->flags.Read(flags)) {
    state_ = State::kInvalid;
    fault_ = "the flags are invalid";
    return;
  }
  const TranslatedPattern translated = TranslateJavaScriptPattern(pattern, code_->flags);
  if (!translated.fault.empty()) {
    state_ = translated.unsupported ? State::kUnsupported : State::kInvalid;
    fault_ = translated.fault;
    return;
  }
  int error = 0;
  PCRE2_SIZE offset = 0;
  const std::uint32_t options = PCRE2_AUTO_CALLOUT | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF |
                                (code_->flags.unicode ? PCRE2_UTF : 0) |
                                (code_->flags.sticky ? PCRE2_ANCHORED : 0);
  code_->code.reset(pcre2_compile(UnitsOf(translated.pattern), translated.pattern.size(), options, &error,
                                  &offset, nullptr));
  if (code_->code) return;
  std::array<PCRE2_UCHAR, 256> message{};
  const int size = pcre2_get_error_message(error, message.data(), message.size());
  state_ = State::kUnsupported;
  fault_.assign(message.begin(), message.begin() + std::max(size, 0));  // ASCII
}

JavaScriptRegex::~JavaScriptRegex() = default;

JavaScriptRegex::Search JavaScriptRegex::Test(std::string_view text, const std::atomic<bool>* stop) const {
  std::u16string units = Utf16Of(text);
  if (code_->flags.unicode) {  // in valid UTF-8, only JSON escapes leave half a pair
    for (std::size_t i = 0; i < units.size(); ++i) {
      const bool high = units[i] >= 0xD800 && units[i] < 0xDC00;
      if (high && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000) {
        ++i;
      } else if (units[i] >= 0xD800 && units[i] < 0xE000) {
        units[i] = 0xFFFD;
      }
    }
  }
  const PcrePointer<pcre2_match_context> context(pcre2_match_context_create(nullptr));
  const PcrePointer<pcre2_match_data> data(pcre2_match_data_create(1, nullptr));
  if (!context || !data) throw std::bad_alloc();
  StepCounter steps{std::min(kFewSteps + kStepsPerUnit * units.size(), kMostSteps), stop};
  pcre2_set_callout(context.get(), CountStep, &steps);
  pcre2_set_match_limit(context.get(), UINT32_MAX);  // the callout counts over all starting positions
  pcre2_set_heap_limit(context.get(), kHeapKib);
  const int found =
      pcre2_match(code_->code.get(), UnitsOf(units), units.size(), 0, 0, data.get(), context.get());
  if (found >= 0) return Search::kFound;
  if (found == PCRE2_ERROR_CALLOUT) return Search::kStopped;
  return found == PCRE2_ERROR_NOMATCH ? Search::kNotFound : Search::kTooLong;
}

}  // namespace leafscore::internal
