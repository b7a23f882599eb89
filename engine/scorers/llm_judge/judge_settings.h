// engine/scorers/llm_judge/judge_settings.h: the options of llm_judge and llm_judge_strict_json, read and
// checked. THREADS: does not change once made, but for the service, which any number may use.
#ifndef LEAFSCORE_ENGINE_SCORERS_LLM_JUDGE_JUDGE_SETTINGS_H_
#define LEAFSCORE_ENGINE_SCORERS_LLM_JUDGE_JUDGE_SETTINGS_H_

#include <unistd.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/judge/judge_prompt.h"
#include "engine/judge/judge_service.h"
#include "engine/scorers/pair_selector.h"

namespace leafscore::internal {

// The revisions of llm_judge: as it was first published, and as UiPath reads a reply in August 2026.
inline constexpr std::span<const std::string_view> kSimilarityJudgeRevisions =
    std::span(kUiPathRevisions).first<2>();

// What a judge is asked: for one score, or for a verdict on each key.
enum class JudgeTask { kSimilarity, kKeys };

// The service of a scorer that the run gives none, made when it is first needed. A process that was forked
// makes its own, as the threads of the other one stayed behind.
class OwnJudgeService {
 public:
  JudgeService& Get() {
    const std::lock_guard lock(mutex_);
    if (service_ && process_ != getpid()) static_cast<void>(service_.release());
    if (!service_) service_ = std::make_unique<JudgeService>();
    process_ = getpid();
    return *service_;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<JudgeService> service_;
  pid_t process_ = 0;
};

struct JudgeSettings {
  PairSelectorOptions selection;
  TextForm text_form;
  JudgeTask task;
  std::string system_prompt;
  JudgePrompt prompt;
  std::string parameters_json;            // members of the request, each behind a comma
  std::vector<SharedEndpoint> endpoints;  // one, or those of the panel
  unsigned samples;                       // of each
  std::optional<double> threshold;
  bool rounds_score = false;   // to two decimals, and one over 100 is 100: the revision 2026-08
  double tokens_out;           // that a reply is thought to take
  std::size_t question_bytes;  // Scorer::question_bytes, of a record
  std::unique_ptr<OwnJudgeService> own_service = std::make_unique<OwnJudgeService>();

  std::size_t voices() const { return endpoints.size() * samples; }
  bool strict() const { return endpoints[0]->strict; }
};

std::span<const OptionSpec> JudgeOptionSpecs();

// ERRORS: Error(kUsage) with source and line.
JudgeSettings ReadJudgeSettings(const OptionReader& options, JudgeTask task);

// The value of response_format that a task asks for. It has no bounds of the score, as several services
// refuse every question with such, and some enforce none: the range is checked here.
std::string_view ResponseFormatOf(JudgeTask task);

// The one with bounds that was sent before; caches have replies to it.
std::string_view FormerResponseFormatOf(JudgeTask task);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_LLM_JUDGE_JUDGE_SETTINGS_H_
