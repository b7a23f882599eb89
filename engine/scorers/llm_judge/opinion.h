// engine/scorers/llm_judge/opinion.h: what a rater says about a record, read from its reply and checked.
#ifndef LEAFSCORE_ENGINE_SCORERS_LLM_JUDGE_OPINION_H_
#define LEAFSCORE_ENGINE_SCORERS_LLM_JUDGE_OPINION_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_view.h"
#include "engine/judge/asked_texts.h"
#include "engine/judge/judge_reply.h"
#include "engine/judge/judge_service.h"
#include "engine/scorers/llm_judge/judge_settings.h"
#include "engine/scorers/strict_verdicts.h"

namespace leafscore::internal {

// A key of either side.
struct JudgedKey {
  std::string name;
  Verdict verdict;
  bool is_asked = false;  // the model decides
};

// The reply of one rater about a record.
struct Opinion {
  ReplyFault fault = {};
  double score = 0;
  double model_score = 0;  // as the model computed it
  std::string justification = {};
  std::string_view read_as = {};
  std::string_view choice = {};
  std::string model = {};
  double prompt_tokens = 0;
  double completion_tokens = 0;
  std::vector<JudgedKey> keys = {};
  // With `versus`, for both orders:
  std::string_view answer_first = {};  // the verdict when the answer came first: win, loss or tie
  std::string_view base_first = {};
  std::string base_first_justification = {};
  bool order_flip = false;  // in both orders, the answer in the same place was better

  bool has_score() const { return fault.reason == RejectReason::kNone; }
};

// Reads replies. It reuses its memory. THREADS: one at a time.
class OpinionReader {
 public:
  // REQUIRES: the settings outlive this.
  explicit OpinionReader(const JudgeSettings* settings) : settings_(settings) {}

  // Reads the answer of a rater. `shown` contains the texts of the record that the question showed. With
  // JudgeTask::kKeys, `keys` contains the keys of the record; the model decides only on keys with is_asked.
  // RETURNS: an opinion with a score or with the fault that kept it from having one.
  Opinion Read(const JudgeAnswer& answer, const AskedTexts& shown, std::span<const JudgedKey> keys);

 private:
  ReplyFault ReadReply(const KeptReply& reply, const AskedTexts& shown, std::span<const JudgedKey> keys,
                       Opinion& opinion);
  bool ReadVerdict(const JsonView& verdict, Opinion& opinion) const;

  const JudgeSettings* settings_;
  JudgeReplyReader replies_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_LLM_JUDGE_OPINION_H_
