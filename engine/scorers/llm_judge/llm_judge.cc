// llm_judge and llm_judge_strict_json: scores given by language models, like UiPath's evaluators of output
// similarity. Match asks the questions for all records of a batch, and Reduce waits for all replies together.
// A model's reply is checked before it counts: a reply without a valid score is an error of the record, never
// a score.
//
// With `versus`, a model compares the answer with the answer of a base, in both orders, so each rater is
// asked two questions. A score is 1 for a win in both orders, 0 for a loss in both, and 0.5 otherwise (Zheng
// et al. 2023, arXiv:2306.05685, section 3.4).
//
// With several raters (samples of one model, or the models of a panel), the score is their median. If a reply
// has no score, the question is asked again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/rounding.h"
#include "engine/base/suggest.h"
#include "engine/base/versus_remarks.h"
#include "engine/match/deep_equal.h"
#include "engine/scorers/llm_judge/judge_settings.h"
#include "engine/scorers/llm_judge/opinion.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/scorers/strict_verdicts.h"

namespace leafscore::internal {
namespace {

using Answer = std::shared_ptr<const PendingAnswer>;

// The texts of each record. The last one is only for choices.
constexpr TextMetric kTextMetrics[] = {{"justification", /*is_list=*/false},
                                       {"read_as", /*is_list=*/false},
                                       {"model", /*is_list=*/false},
                                       {"choice", /*is_list=*/false}};

// With `versus`: there is a verdict on the answer, with a justification, for each order. `justification`
// belongs to answer_first.
constexpr TextMetric kPairTextMetrics[] = {
    {"justification", /*is_list=*/false}, {"read_as", /*is_list=*/false},
    {"model", /*is_list=*/false},         {"answer_first", /*is_list=*/false},
    {"base_first", /*is_list=*/false},    {"base_first_justification", /*is_list=*/false}};

// A rater agrees if its score differs from the median by at most this.
constexpr double kAgreement = 0.1;

// The metrics of each record. The last three are only for several raters.
constexpr std::string_view kMetrics[] = {"prompt_tokens", "completion_tokens", "spread", "agreement",
                                         "raters"};
constexpr std::string_view kPairMetrics[] = {"order_flip", "prompt_tokens", "completion_tokens",
                                             "spread",     "agreement",     "raters"};
constexpr std::string_view kKeyMetrics[] = {
    "identical_keys", "similar_keys",      "wrong_keys", "missing_keys", "extra_keys", "model_score",
    "prompt_tokens",  "completion_tokens", "spread",     "agreement",    "raters"};
constexpr std::size_t kModelScore = 5;

constexpr double kTieScore = 0.5;
constexpr std::string_view kIdenticalAnswers = "identical";  // a value of read_as

// Returns the verdict on an answer for its score in a comparison of two answers.
std::string_view VerdictOf(double score) { return score == 1 ? "win" : score == 0 ? "loss" : kTie; }

class LlmJudgeBatch final : public SelectingBatch {
 public:
  LlmJudgeBatch(const JudgeSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, MetricsOf(*settings), settings->open_prompt.has_value()),
        settings_(settings),
        service_(tools.judges),
        stop_(tools.stop),
        walker_(tools.shapes),
        reader_(settings) {
    const auto follow = [&](const std::optional<TargetPath>& path, std::optional<RecordField>& field) {
      if (path) field.emplace(&*path, tools.shapes);
    };
    follow(settings->context, context_);
    follow(settings->rubric_field, rubric_);
    for (const TargetPath& path : settings->fields) fields_.emplace_back(&path, tools.shapes);
    if (settings->versus) base_.emplace(&settings->selection, tools);
  }

  static bool NeedsExpected(const JudgeSettings& settings) { return !settings.open_prompt; }

  // The model judges by rules of its own.
  AnswerCauses possible_causes() const override { return kCausesOfAnyScorer; }

  void Ask(const PairBatch& batch, std::vector<Answer>& asked) override {
    StringPairs none;
    Match(batch, none);
    asked.insert(asked.end(), std::make_move_iterator(asked_.begin()), std::make_move_iterator(asked_.end()));
    asked_.clear();
    first_asked_.clear();
    shown_.clear();
  }

  void Reduce(const StringPairs& pairs) override;
  RaterSums rater_sums() const override { return rater_sums_; }

  std::span<const std::string_view> remark_names() const override {
    return settings_->versus ? kVersusRemarks : std::span<const std::string_view>();
  }
  std::uint8_t RemarksOn(std::uint32_t record) const override;

  std::span<const TextMetric> text_metrics() const override {
    if (settings_->versus) return kPairTextMetrics;
    const std::span<const TextMetric> all = kTextMetrics;
    return settings_->choices.empty() ? all.first(all.size() - 1) : all;
  }
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;

 private:
  static std::span<const std::string_view> MetricsOf(const JudgeSettings& settings) {
    std::span<const std::string_view> all = kMetrics;
    if (settings.task == JudgeTask::kKeys) all = kKeyMetrics;
    if (settings.versus) all = kPairMetrics;
    if (settings.raters() == 1) return all.first(all.size() - 3);
    return settings.quorum == settings.raters() ? all.first(all.size() - 1) : all;
  }
  std::size_t tokens_metric() const {
    return settings_->task == JudgeTask::kKeys ? kModelScore + 1 : settings_->versus ? 1 : 0;
  }

  void BeginBatch(std::uint32_t records) override {
    if (stop_ != nullptr && stop_->load()) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    asked_.clear();
    first_asked_.assign(records + 1, 0);
    shown_.assign(records, {});
    keys_.assign(settings_->task == JudgeTask::kKeys ? records : 0, {});
    opinions_.assign(records, {});
    chosen_.assign(records, 0);
    rater_sums_ = {};
    for (std::optional<RecordField>* const field : {&context_, &rubric_})
      if (*field) (*field)->Reset();
    for (RecordField& field : fields_) field.Reset();
    if (base_) BeginBase(records);
  }
  void BeginBase(std::uint32_t records);
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void TakeInventory(std::vector<JudgedKey>& keys);
  std::string KeysToJudge(std::uint32_t record) const;
  std::string PromptOf(std::uint32_t record, std::size_t question) const;
  Answer Ask(std::uint32_t record, std::size_t question, unsigned attempt);
  void PutQuestions(std::uint32_t record);
  JudgeService& service() { return service_ != nullptr ? *service_ : settings_->own_service->Get(); }

  // A question whose reply has no score, and how often it may still be asked again.
  struct Unread {
    std::uint32_t record;
    std::size_t question;
    unsigned retries_left;
    Answer answer = nullptr;  // to the latest attempt
  };

  AskedTexts ShownIn(std::uint32_t record) const {
    const ShownTexts& shown = shown_[record];
    const std::string fields = fmt::format("{}", fmt::join(shown.fields, "\n"));
    return AskedTexts(
        {shown.expected, shown.actual, shown.base, shown.keys, shown.context, shown.rubric, fields});
  }
  bool ShowField(std::uint32_t record, RecordField& field, const TargetPath& path, std::string& text);
  bool ShowFields(std::uint32_t record);
  bool ShowBase(std::uint32_t record);
  // The questions about a record are sorted by rater, then by order.
  std::size_t questions() const { return settings_->raters() * settings_->orders(); }
  bool is_swapped(std::size_t question) const { return question % settings_->orders() != 0; }
  std::size_t RaterOf(std::size_t question) const { return question / settings_->orders(); }
  const SharedEndpoint& EndpointOf(std::size_t question) const {
    return settings_->endpoints[RaterOf(question) / settings_->samples];
  }
  void AskAgain(std::vector<Unread> unread);
  bool TakeAttempt(Unread& again);
  bool MayHaveScore(std::uint32_t record, std::size_t question, const JudgeAnswer& answer);
  Opinion OpinionOf(std::uint32_t record, const AskedTexts& shown, const JudgeAnswer& answer) {
    return reader_.Read(answer, shown, keys_.empty() ? std::span<const JudgedKey>() : keys_[record]);
  }
  static void JoinOrders(std::vector<Opinion>& opinions);
  void Conclude(std::uint32_t record);
  void CompareRaters(std::span<const Opinion> opinions);
  const Opinion& Chosen(std::uint32_t record) const { return opinions_[record][chosen_[record]]; }

  const JudgeSettings* settings_;
  JudgeService* service_;
  const std::atomic<bool>* stop_;
  PairWalker walker_;
  std::optional<RecordField> context_;
  std::optional<RecordField> rubric_;
  std::vector<RecordField> fields_;
  // With `versus`: selects from the answers of the base, as selector_ selects from the answers of the run.
  std::optional<PairSelector> base_;
  PairBatch base_pairs_;
  ScoreColumns base_columns_;
  OpinionReader reader_;
  // The texts for the places of a prompt; PromptTexts refers to them.
  struct ShownTexts {
    std::string expected;
    std::string actual;
    std::string base;
    std::string keys;
    std::string context;
    std::string rubric;  // of the record itself
    std::vector<std::string> fields;
    bool has_expected = true;
  };
  std::vector<ShownTexts> shown_;               // for each record with a question
  std::vector<Answer> asked_;                   // record by record, question by question
  std::vector<std::size_t> first_asked_;        // for each record: where its questions begin in asked_
  std::vector<std::vector<JudgedKey>> keys_;    // for each record; verdicts that need no model are set
  std::vector<std::vector<Opinion>> opinions_;  // for each record
  RaterSums rater_sums_;
  std::vector<std::size_t> chosen_;  // for each record: the opinion whose score is nearest to the median
};

void LlmJudgeBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  first_asked_[record] = asked_.size();
  first_asked_[record + 1] = asked_.size();
  if (settings_->task == JudgeTask::kKeys) {
    TakeInventory(keys_[record]);
    if (std::ranges::none_of(keys_[record], &JudgedKey::is_asked)) return;
  }
  PutQuestions(record);
  first_asked_[record + 1] = asked_.size();
}

// Lists the keys of a record. Missing keys, extra keys and equal values get their verdicts here. The model
// decides on all other keys; until then, they count as wrong.
void LlmJudgeBatch::TakeInventory(std::vector<JudgedKey>& keys) {
  const auto add = [&](std::string name, ValueRef expected, ValueRef actual) {
    const bool is_equal = DeepEqual(expected, actual, walker_);
    keys.push_back({std::move(name), is_equal ? kIdentical : kWrong, /*is_asked=*/!is_equal});
  };
  if (selector_.builds_object()) {
    for (const SelectedPart& part : selector_.parts())
      add(std::string(part.path->text), part.expected, part.actual);
    return;
  }
  const SelectedPart& part = selector_.parts()[0];
  const auto is_object = [](ValueRef value) { return value.kind() == ValueKind::kObject; };
  if (!is_object(part.expected) || !is_object(part.actual)) {
    add(std::string(kWholeKey), part.expected, part.actual);
    return;
  }
  const JsonView expected(*part.expected.table, *shapes_, part.expected.node);
  const JsonView actual(*part.actual.table, *shapes_, part.actual.node);
  expected.ForEachMember([&](std::string_view key, const JsonView& value) {
    const JsonView other = actual.Member(key);
    if (other.present()) {
      add(std::string(key), {&value.table(), value.node()}, {&other.table(), other.node()});
    } else {
      keys.push_back({std::string(key), kMissing});
    }
  });
  actual.ForEachMember([&](std::string_view key, const JsonView&) {
    if (!expected.Member(key).present()) keys.push_back({std::string(key), kExtra});
  });
}

std::string LlmJudgeBatch::KeysToJudge(std::uint32_t record) const {
  std::string list;
  JsonWriter json(list);
  json.StartArray();
  for (const JudgedKey& key : keys_[record]) {
    if (key.is_asked) json.String(key.name);
  }
  json.EndArray();
  return list;
}

std::string LlmJudgeBatch::PromptOf(std::uint32_t record, std::size_t question) const {
  const ShownTexts& shown = shown_[record];
  PromptTexts texts{.expected = shown.expected,
                    .keys = shown.keys,
                    .context = shown.context,
                    .rubric = settings_->rubric_field ? shown.rubric : settings_->rubric,
                    .examples = settings_->examples,
                    .choices = settings_->choice_names,
                    .fields = shown.fields};
  if (!settings_->versus) {
    texts.actual = shown.actual;
  } else {
    texts.first = is_swapped(question) ? shown.base : shown.actual;
    texts.second = is_swapped(question) ? shown.actual : shown.base;
  }
  std::string prompt;
  (shown.has_expected ? settings_->prompt : *settings_->open_prompt).Fill(texts, prompt);
  return prompt;
}

Answer LlmJudgeBatch::Ask(std::uint32_t record, std::size_t question, unsigned attempt) {
  const SharedEndpoint& endpoint = EndpointOf(question);
  const std::string prompt = PromptOf(record, question);
  std::string head;
  JsonWriter json(head, JsonLayout::kCompact);
  json.StartObject();
  json.Key("model").String(endpoint->model);
  json.Key("messages").StartArray();
  for (const auto& [role, text] :
       {std::pair<std::string_view, std::string_view>{"system", settings_->system_prompt},
        {"user", prompt}}) {
    json.StartObject();
    json.Key("role").String(role);
    json.Key("content").LossyString(text);
    json.EndObject();
  }
  json.EndArray();
  return service().Ask(endpoint, {.head = std::move(head),
                                  .format = settings_->format,
                                  .former_format = settings_->former_format,
                                  .sample = static_cast<unsigned>(RaterOf(question) % settings_->samples),
                                  .attempt = attempt,
                                  .tokens_out = settings_->tokens_out});
}

// Adds a field of a record to a text of its prompt. RETURNS: false if the field is missing; the record is
// then an error.
bool LlmJudgeBatch::ShowField(std::uint32_t record, RecordField& field, const TargetPath& path,
                              std::string& text) {
  const ValueRef value = selector_.FieldOf(record, field);
  if (value.present()) {
    selector_.AppendTextOf(value, settings_->text_form, text);
  } else {
    SetRecordError(record, RejectReason::kTargetKeyNotFound,
                   fmt::format("the record has no field {} for the judge", QuoteForMessage(path.text)),
                   columns_);
  }
  return value.present();
}

bool LlmJudgeBatch::ShowFields(std::uint32_t record) {
  ShownTexts& shown = shown_[record];
  if (context_ && !ShowField(record, *context_, *settings_->context, shown.context)) return false;
  if (rubric_ && !ShowField(record, *rubric_, *settings_->rubric_field, shown.rubric)) return false;
  shown.fields.resize(fields_.size());
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (!ShowField(record, fields_[f], settings_->fields[f], shown.fields[f])) return false;
  return true;
}

void LlmJudgeBatch::PutQuestions(std::uint32_t record) {
  ShownTexts& shown = shown_[record];
  if (!ShowFields(record)) return;
  shown.has_expected = selector_.parts()[0].expected.present();
  if (shown.has_expected) selector_.AppendText(/*expected_side=*/true, settings_->text_form, shown.expected);
  selector_.AppendText(/*expected_side=*/false, settings_->text_form, shown.actual);
  if (settings_->task == JudgeTask::kKeys) shown.keys = KeysToJudge(record);
  if (base_ && !ShowBase(record)) return;
  if (base_ && shown.actual == shown.base) return;  // a tie, whoever judges
  for (std::size_t question = 0; question < questions(); ++question)
    asked_.push_back(Ask(record, question, /*attempt=*/0));
}

void LlmJudgeBatch::BeginBase(std::uint32_t records) {
  base_pairs_ = selector_.batch();
  base_pairs_.actual_table = base_pairs_.base_table;
  base_pairs_.actual = base_pairs_.base;
  base_pairs_.actual_unreadable.assign(records, false);
  base_columns_.outcome.assign(records, Outcome::kScored);
  base_columns_.errors.clear();
  base_->Begin(base_pairs_);
}

// Adds the answer of the base to the texts of a prompt. RETURNS: false if the answer is missing; the record
// is then an error.
bool LlmJudgeBatch::ShowBase(std::uint32_t record) {
  base_->Select(record, /*expected_optional=*/true, base_columns_);
  if (base_columns_.outcome[record] == Outcome::kScored) {
    base_->AppendText(/*expected_side=*/false, settings_->text_form, shown_[record].base);
    return true;
  }
  SetRecordError(record, RejectReason::kNoBaseAnswer,
                 base_pairs_.base[record] == kNoNode
                     ? "the file of answers to compare with (--versus) has none for this record"
                     : "in the answer to compare with (--versus), " + base_columns_.errors.back().message,
                 columns_);
  return false;
}

void LlmJudgeBatch::Reduce(const StringPairs& /*pairs*/) {
  std::vector<Unread> unread;
  for (std::uint32_t record = 0; record < columns_.score.size(); ++record) {
    if (!scored(record)) continue;
    const AskedTexts shown = ShownIn(record);
    for (std::size_t a = first_asked_[record]; a < first_asked_[record + 1]; ++a) {
      const std::size_t question = a - first_asked_[record];
      const JudgeAnswer& answer = asked_[a]->Wait(stop_);
      opinions_[record].push_back(OpinionOf(record, shown, answer));
      if (MayHaveScore(record, question, answer))
        unread.push_back({record, question, EndpointOf(question)->limits.max_retries});
    }
  }
  AskAgain(std::move(unread));
  for (std::uint32_t record = 0; record < columns_.score.size(); ++record) {
    if (scored(record)) Conclude(record);
  }
  std::ranges::sort(columns_.errors, {}, &RecordError::record);
}

// Counts a reply by how it was read. RETURNS: true if the reply has no score and asking again may give one.
bool LlmJudgeBatch::MayHaveScore(std::uint32_t record, std::size_t question, const JudgeAnswer& answer) {
  const Opinion& opinion = opinions_[record][question];
  if (answer.fault.reason != RejectReason::kNone) return false;  // there is no reply
  if (!opinion.has_score()) return service().CountUnread(EndpointOf(question), opinion.fault);
  service().CountReading(EndpointOf(question), opinion.read_as);
  return false;
}

// Asks these questions again, all at once, until they have scores or may not be asked any more.
void LlmJudgeBatch::AskAgain(std::vector<Unread> unread) {
  std::erase_if(unread, [](const Unread& again) { return again.retries_left == 0; });
  for (unsigned attempt = 1; !unread.empty(); ++attempt) {
    for (Unread& again : unread) again.answer = Ask(again.record, again.question, attempt);
    std::erase_if(unread, [this](Unread& again) { return !TakeAttempt(again); });
  }
}

// Replaces an opinion with the opinion of the latest attempt, if the attempt got a reply. RETURNS: whether to
// try again.
bool LlmJudgeBatch::TakeAttempt(Unread& again) {
  const JudgeAnswer& answer = again.answer->Wait(stop_);
  if (answer.fault.reason != RejectReason::kNone) return false;
  Opinion& opinion = opinions_[again.record][again.question];
  const Opinion before = std::exchange(opinion, OpinionOf(again.record, ShownIn(again.record), answer));
  opinion.prompt_tokens += before.prompt_tokens;
  opinion.completion_tokens += before.completion_tokens;
  if (!(answer.is_cached && service().retries_errors())) --again.retries_left;
  return MayHaveScore(again.record, again.question, answer) && again.retries_left != 0;
}

// Removes rounding residue from sums and differences of percentages: 0.6499... is 0.65.
double WithoutRest(double share) {
  constexpr int kDecimals = 12;
  return RoundToDecimals(share, kDecimals);
}

double MedianOf(std::vector<double> scores) {
  std::ranges::sort(scores);
  const double low = scores[(scores.size() - 1) / 2];
  const double high = scores[scores.size() / 2];
  return low == high ? low : WithoutRest((low + high) / 2);
}

// Adds the opinions on a record to the agreement figures of the run. Each model of a panel counts with the
// median of its samples.
void LlmJudgeBatch::CompareRaters(std::span<const Opinion> opinions) {
  std::vector<double> models;
  std::vector<double> samples;
  for (std::size_t first = 0; first < opinions.size(); first += settings_->samples) {
    samples.clear();
    for (const Opinion& opinion : opinions.subspan(first, settings_->samples))
      samples.push_back(opinion.score);
    if (samples.size() > 1) rater_sums_.samples.Add(samples);
    models.push_back(MedianOf(samples));
  }
  if (models.size() > 1) rater_sums_.models.Add(models);
}

// Joins the two opinions of each rater, one for each order. A choice names a place in the prompt, so the
// score of the second opinion is about the base's answer.
void LlmJudgeBatch::JoinOrders(std::vector<Opinion>& opinions) {
  std::vector<Opinion> joined;
  for (std::size_t i = 0; i < opinions.size(); i += 2) {
    Opinion& both = joined.emplace_back(std::move(opinions[i]));
    Opinion& swapped = opinions[i + 1];
    both.prompt_tokens += swapped.prompt_tokens;
    both.completion_tokens += swapped.completion_tokens;
    if (both.has_score()) both.fault = std::move(swapped.fault);
    const double score = 1 - swapped.score;
    both.answer_first = VerdictOf(both.score);
    both.base_first = VerdictOf(score);
    both.base_first_justification = std::move(swapped.justification);
    both.order_flip = both.choice == swapped.choice && both.choice != kTie;
    if (both.score != score) both.score = kTieScore;
  }
  opinions = std::move(joined);
}

// Computes the score of a record from its opinions.
void LlmJudgeBatch::Conclude(std::uint32_t record) {
  std::vector<Opinion>& opinions = opinions_[record];
  const bool by_keys = settings_->task == JudgeTask::kKeys;
  if (settings_->versus) JoinOrders(opinions);
  if (opinions.empty()) {  // no model was needed
    Opinion& ours = opinions.emplace_back();
    if (by_keys) {
      ours.read_as = "keys";
      ours.keys = keys_[record];
    } else {
      ours.read_as = kIdenticalAnswers;
      ours.score = kTieScore;
      ours.answer_first = ours.base_first = kTie;
    }
  }
  const auto with_score = static_cast<std::size_t>(std::ranges::count_if(opinions, &Opinion::has_score));
  if (with_score < std::min(settings_->quorum, opinions.size())) {
    ReplyFault& fault = std::ranges::find_if_not(opinions, &Opinion::has_score)->fault;
    SetRecordError(record, fault.reason, std::move(fault.message), columns_);
    return;
  }
  std::vector<double> scores;
  for (Opinion& opinion : opinions) {
    if (!opinion.has_score()) continue;
    if (by_keys) {
      double points = 0;
      double expected_keys = 0;
      for (const JudgedKey& key : opinion.keys) {
        points += kStrictPoints[key.verdict];
        expected_keys += key.verdict != kExtra;
      }
      opinion.score = StrictScore(points, expected_keys);
    }
    scores.push_back(opinion.score);
  }
  const double median = MedianOf(scores);
  const auto distance = [&](const Opinion& opinion) {
    return opinion.has_score() ? std::abs(opinion.score - median) : 2;
  };
  chosen_[record] =
      static_cast<std::size_t>(std::ranges::min_element(opinions, {}, distance) - opinions.begin());
  columns_.score[record] = median;
  if (settings_->threshold) columns_.passed[record] = median >= *settings_->threshold;

  if (by_keys) {
    for (std::size_t m = 0; m < kModelScore; ++m) metric(m, record) = 0;
    for (const JudgedKey& key : Chosen(record).keys) metric(key.verdict, record) += 1;
    metric(kModelScore, record) = Chosen(record).model.empty() ? std::nan("") : Chosen(record).model_score;
  }
  if (settings_->versus) metric(0, record) = Chosen(record).order_flip ? 1 : 0;
  const std::size_t tokens = tokens_metric();
  metric(tokens, record) = metric(tokens + 1, record) = 0;
  for (const Opinion& opinion : opinions) {
    metric(tokens, record) += opinion.prompt_tokens;
    metric(tokens + 1, record) += opinion.completion_tokens;
  }
  if (settings_->raters() == 1) return;
  const auto [least, most] = std::ranges::minmax(scores);
  metric(tokens + 2, record) = most - least;
  if (scores.size() == opinions.size() && opinions.size() > 1) CompareRaters(opinions);
  const auto agree = std::ranges::count_if(
      opinions, [&](const Opinion& opinion) { return WithoutRest(distance(opinion)) <= kAgreement; });
  metric(tokens + 3, record) = static_cast<double>(agree) / static_cast<double>(scores.size());
  if (settings_->quorum < settings_->raters())
    metric(tokens + 4, record) = static_cast<double>(scores.size());
}

void LlmJudgeBatch::AppendTexts(std::uint32_t record, std::size_t metric,
                                std::vector<std::string>& texts) const {
  const Opinion& opinion = Chosen(record);
  const std::string_view all[] = {opinion.justification, opinion.read_as, opinion.model, opinion.choice};
  const std::string_view of_pair[] = {opinion.answer_first, opinion.base_first,
                                      opinion.base_first_justification};
  constexpr std::size_t kInBoth = std::size(kTextMetrics) - 1;
  texts.emplace_back(settings_->versus && metric >= kInBoth ? of_pair[metric - kInBoth] : all[metric]);
}

std::uint8_t LlmJudgeBatch::RemarksOn(std::uint32_t record) const {
  if (!settings_->versus) return 0;
  const Opinion& opinion = Chosen(record);
  const double score = columns_.score[record];
  VersusRemarks remarks;
  remarks[kWin] = score > kTieScore;
  remarks[kLoss] = score < kTieScore;
  remarks[kTied] = score == kTieScore;
  remarks[kOrderFlip] = opinion.order_flip;
  remarks[kIdenticalAnswer] = opinion.read_as == kIdenticalAnswers;
  return static_cast<std::uint8_t>(remarks.to_ulong());
}

void LlmJudgeBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  ScorerBatch::WriteDetails(record, level, json);
  if (settings_->task == JudgeTask::kKeys) {
    const std::vector<JudgedKey>& keys = Chosen(record).keys;
    const auto expected_keys = static_cast<double>(
        std::ranges::count_if(keys, [](const JudgedKey& key) { return key.verdict != kExtra; }));
    json.Key<"keys">();
    json.StartList();
    for (const JudgedKey& key : keys) {
      json.StartObject();
      json.Key<"key">().String(key.name);
      json.Key<"verdict">().String(kStrictVerdictNames[key.verdict]);
      json.Key<"penalty">().Number(PenaltyOf(key.verdict, expected_keys));
      json.EndObject();
      if (!json.EndElement()) break;
    }
    json.EndArray();
  }
  if (settings_->raters() == 1) return;
  json.Key<"opinions">();
  json.StartList();
  for (const Opinion& opinion : opinions_[record]) {
    json.StartObject();
    json.Key<"model">().String(opinion.model);
    if (opinion.has_score()) {
      json.Key<"score">().Number(opinion.score);
      json.Key<"justification">().String(opinion.justification);
    } else {
      json.Key<"reason">().String(RejectReasonName(opinion.fault.reason));
    }
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

template <JudgeTask kTask>
std::unique_ptr<Scorer> Make(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<LlmJudgeBatch, JudgeSettings>>(ReadJudgeSettings(options, kTask));
}

}  // namespace

const ScorerType kLlmJudgeScorer = {
    "llm_judge",
    "how closely the outputs agree in meaning, judged by a language model",
    JudgeOptionSpecs(),
    Make<JudgeTask::kSimilarity>,
    {"For answers where only the meaning counts: a language model judges each record. The score is the "
     "model's, from 0 to 100, divided by 100.",
     "llm_judge:model=gpt-4o-mini", R"("Oslo")", R"("Norway's capital, Oslo")", "95", 0.95},
    kSimilarityJudgeRevisions};
const ScorerType kLlmJudgeStrictJsonScorer = {
    "llm_judge_strict_json",
    "strict_json, with each key judged by a language model",
    JudgeOptionSpecs(),
    Make<JudgeTask::kKeys>,
    {"For JSON whose keys are fixed and whose values only a language model can judge. The model judges each "
     "key that both sides have, and the penalties are those of strict_json.",
     "llm_judge_strict_json:model=gpt-4o-mini", R"({"name": "Ada", "job": "mathematician"})",
     R"({"name": "Ada", "job": "scientist"})", "name:identical;job:similar", 0.75}};

}  // namespace leafscore::internal
