// engine/scorers/llm_judge/judge_settings.h: the options of llm_judge and llm_judge_strict_json, read and
// checked. THREADS: immutable once made, except the service, which any number of threads may use at once.
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
#include "engine/scorers/pair_selector_options.h"

namespace leafscore::internal {

// The revisions of llm_judge: as first published, and as UiPath reads a reply in August 2026.
inline constexpr std::span<const std::string_view> kSimilarityJudgeRevisions =
    std::span(kUiPathRevisions).first<2>();

// The judge's task: one score, or a verdict on each key.
enum class JudgeTask { kSimilarity, kKeys };

// The service of a scorer that gets no service from the run. It is made on first use. A forked process makes
// its own, because the threads of its parent do not exist in it.
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

// The choice for two answers that are equally good.
inline constexpr std::string_view kTie = "tie";

// A named verdict, and the score that it stands for.
struct JudgeChoice {
  std::string name;
  double score;
};

struct JudgeSettings {
  PairSelectorOptions selection;
  TextForm text_form;
  JudgeTask task;
  std::string system_prompt;
  JudgePrompt prompt;
  // With `versus`: the prompt for records without an expected value; nullopt if `prompt` needs that value.
  std::optional<JudgePrompt> open_prompt;
  std::optional<TargetPath> context;  // like rubric_field: a field of a record that the prompt shows
  std::optional<TargetPath> rubric_field;
  std::vector<TargetPath> fields;    // the paths of prompt.fields()
  std::string rubric;                // for all records, if there is no rubric_field
  std::string examples;              // one JSON object per line
  std::vector<std::string> files;    // Scorer::files
  std::vector<JudgeChoice> choices;  // if empty, the model gives a score
  // The model compares the answer with the answer of a base, once in each order.
  bool versus = false;
  std::string choice_names;  // as a JSON list
  // The members of a request that ask for the form of the reply. They set no bounds for the score, because
  // several services refuse every question with bounds, and some ignore the bounds. The scorer checks the
  // range itself.
  std::string format;
  std::string former_format;              // the earlier one, with bounds, for cached replies; may be empty
  std::vector<SharedEndpoint> endpoints;  // one, or the panel
  unsigned samples;                       // for each model
  std::size_t quorum;                     // how many raters must give a score for a record
  std::optional<double> threshold;
  bool rounds_score = false;   // revision 2026-08: to two decimals, and into the range
  double tokens_out;           // estimated tokens in a reply
  std::size_t question_bytes;  // Scorer::question_bytes for a record
  std::unique_ptr<OwnJudgeService> own_service = std::make_unique<OwnJudgeService>();

  // Returns the name of the member of a reply that contains the verdict.
  std::string_view verdict_member() const { return choices.empty() ? "score" : "choice"; }

  std::vector<const TargetPath*> record_fields() const {
    std::vector<const TargetPath*> all;
    for (const std::optional<TargetPath>* const path : {&context, &rubric_field})
      if (*path) all.push_back(&**path);
    for (const TargetPath& path : fields) all.push_back(&path);
    return all;
  }
  std::size_t raters() const { return endpoints.size() * samples; }
  std::size_t orders() const { return versus ? 2 : 1; }  // questions to each rater about a record
  bool strict() const { return endpoints[0]->strict; }
};

std::span<const OptionSpec> JudgeOptionSpecs();

// ERRORS: Error(kUsage) with source and line.
JudgeSettings ReadJudgeSettings(const OptionReader& options, JudgeTask task);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_LLM_JUDGE_JUDGE_SETTINGS_H_
