#include "engine/judge/judge_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <new>
#include <utility>

#include "engine/base/memory_account.h"
#include "engine/base/suggest.h"
#include "engine/http/retry_rules.h"
#include "engine/judge/batch_run.h"
#include "engine/judge/redact.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

using Milliseconds = std::chrono::milliseconds;

// How long requests may go on after a stop, because their replies are paid for.
constexpr Milliseconds kPatience{1000};
// How much longer than kPatience callers wait for the end of requests.
constexpr Milliseconds kMorePatience{500};
constexpr Milliseconds kLook{50};

// How long a failure that concerns all questions is assumed to last.
constexpr std::chrono::seconds kSameFailure{10};

// The space for a stored reply is twice its request, plus this much for the pages of the cache that change.
constexpr std::uint64_t kRoomOfReply = 32 << 10;

// The share of the price of single questions that batches cost.
constexpr double kBatchRate = 0.5;

// Roughly right for English. Other languages need more tokens; the service's own count corrects the estimate.
constexpr double kBytesPerToken = 4;

RejectReason ReasonOf(HttpFault fault) {
  if (fault == HttpFault::kTimedOut) return RejectReason::kJudgeTimeout;
  return fault == HttpFault::kTooLong ? RejectReason::kJudgeBadReply : RejectReason::kJudgeUnavailable;
}

// Tells whether a status says that every question will be refused, however often it is asked.
bool RefusesAll(long status, std::string_view body) {
  const bool is_quota = status == 429 && !MayChange(status, body);
  // A LiteLLM proxy without a database sends this if it does not know the key.
  if (status == 400 && body.find("\"no_db_connection\"") != body.npos) return true;
  return (status >= 300 && status < 400) || (status >= 401 && status <= 405) || is_quota;
}

// Returns what may explain a status.
std::string HintOn(long status, const JudgeEndpoint& endpoint) {
  if (status >= 300 && status < 400) return " (redirects are not followed)";
  if (status != 404) return {};
  return fmt::format(" ({} was asked; base_url is the part before {}, often with /v1)",
                     QuoteForMessage(endpoint.url, 256), DefaultsOf(endpoint.api).path);
}

// Tells whether a text has a key that is a secret.
bool TellsKey(const std::string& key, const std::string& text) {
  std::string redacted = text;
  Redact(key, redacted);
  return redacted != text || HidesKey(key, text);
}

std::exception_ptr Interruption() {
  return std::make_exception_ptr(Error(ErrorCode::kInterrupted, "the run was interrupted"));
}

}  // namespace

const JudgeAnswer& PendingAnswer::Wait(const std::atomic<bool>* stop,
                                       const std::atomic<bool>* useless) const {
  std::unique_lock lock(service_->mutex_);
  awaited_ = true;
  while (!done_) {
    if (useless != nullptr && useless->load()) std::rethrow_exception(Interruption());
    const HttpTime now = HttpClock::now();
    const bool is_stopped = stop != nullptr && stop->load();
    if (!is_stopped) service_->believed_until_ = now + kPatience + kMorePatience;
    // If the service goes on for other callers, this caller need not wait: the reply will be stored anyway.
    if (is_stopped && (!service_->stopped() || now > service_->believed_until_)) {
      std::rethrow_exception(Interruption());
    }
    service_->finished_.wait_for(lock, kLook);
  }
  if (error_) std::rethrow_exception(error_);
  return answer_;
}

JudgeService::JudgeService(JudgeOptions options, const std::atomic<bool>* stop)
    : options_(std::move(options)),
      stop_(stop),
      account_(options_.prices ? &*options_.prices : nullptr, options_.batch ? kBatchRate : 1) {
  if (options_.max_cost && !(*options_.max_cost >= 0)) {
    throw Error(ErrorCode::kUsage, "--max-cost is a number of dollars, at least 0");
  }
  if (options_.cache.empty()) return;
  std::error_code error;
  if (options_.dry_run && !std::filesystem::exists(options_.cache, error)) return;
  const bool reads_only = options_.replay || options_.dry_run;
  cache_.emplace(options_.cache, reads_only ? ReplyCache::Access::kReadOnly : ReplyCache::Access::kReadWrite);
  if (!reads_only) keeper_.emplace(*cache_, options_.spare);
}

JudgeService::~JudgeService() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  client_.reset();
  keeper_.reset();
}

JudgeService::Pending JudgeService::NewPending(const SharedEndpoint& endpoint,
                                               const JudgeQuestion& question) const {
  Pending pending = std::make_shared<PendingAnswer>();
  pending->service_ = const_cast<JudgeService*>(this);
  pending->endpoint_ = endpoint;
  pending->request_ = JudgeRequest(*endpoint, question, question.format);
  pending->key_ = KeyOf(pending->request_.text());
  pending->tokens_in_ = static_cast<double>(question.head.size()) / kBytesPerToken;
  pending->tokens_out_ = question.tokens_out;
  return pending;
}

// ERRORS: those of the cache.
std::optional<KeptReply> JudgeService::FindKept(const PendingAnswer& pending, const JudgeQuestion& question) {
  if (!cache_) return std::nullopt;
  std::optional<KeptReply> kept = cache_->Find(pending.key_);
  if (!kept && !question.former_format.empty()) {
    kept = cache_->Find(KeyOf(JudgeRequest(*pending.endpoint_, question, question.former_format).text()));
  }
  if (!kept && options_.replay) cache_->Check();
  if (!kept && keeper_) cache_->Probe();
  return kept;
}

std::shared_ptr<const PendingAnswer> JudgeService::Ask(const SharedEndpoint& endpoint,
                                                       const JudgeQuestion& question) {
  const UncountedMemory shared;  // shared with the client's thread
  const Pending pending = NewPending(endpoint, question);
  {
    const std::lock_guard lock(mutex_);
    ForgetUnused();
    std::weak_ptr<PendingAnswer>& asked = asked_[std::string(BytesOf(pending->key_))];
    if (const Pending before = asked.lock()) return before;
    asked = pending;
  }
  std::optional<KeptReply> kept;
  try {
    kept = FindKept(*pending, question);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    Fail(*pending, std::current_exception());
    return pending;
  }
  const std::lock_guard lock(mutex_);
  account_.AddModel(endpoint->model);
  if (!kept && question.attempt != 0 && !options_.replay) account_.AddAskedAgain();
  if (kept) {
    account_.AddCached();
    Finish(*pending, {{}, *std::move(kept), /*is_cached=*/true});
  } else if (options_.replay) {
    Finish(*pending, {{RejectReason::kJudgeUnavailable,
                       "the judge cache has no reply to this question (--judge-replay)"},
                      {}});
  } else if (options_.dry_run) {
    CountQuestion(*pending);
  } else if (options_.batch) {
    AnswerFromBatches(*pending);
  } else {
    try {
      JudgeLine& line = LineOf(endpoint);
      line.waiting.push_back(pending);
      Pump(*endpoint, line);
    } catch (...) {
      Fail(*pending, std::current_exception());
      throw;
    }
  }
  return pending;
}

// Counts a question of a dry run. In a real run, the first of several equal questions would be asked, and the
// others would find its reply in the cache.
void JudgeService::CountQuestion(PendingAnswer& pending) {
  const bool is_first = options_.cache.empty() || counted_.emplace(BytesOf(pending.key_)).second;
  if (is_first) {
    account_.AddRequests(1, 0);
    account_.AddTokens(*pending.endpoint_, pending.tokens_in_, pending.tokens_out_);
  } else {
    account_.AddCached();
  }
  Finish(pending, {{RejectReason::kJudgeBudget, "nothing is asked in a dry run"}, {}});
}

// Answers a question with the fault that it had in a batch. Without such a fault, collects it for a batch or,
// in the run itself, answers that no batch has a reply.
void JudgeService::AnswerFromBatches(PendingAnswer& pending) {
  const std::string key(BytesOf(pending.key_));
  const auto failed = batches_.faults.find(key);
  if (failed != batches_.faults.end()) {
    account_.AddFault(failed->second);  // here, for each record that it leaves without an answer
    Finish(pending, {failed->second, {}});
  } else if (batches_.is_collecting) {
    batches_.collected.try_emplace(key, std::make_shared<PendingAnswer>(pending));
    Finish(pending, {{RejectReason::kJudgeBudget, "it is asked in a batch"}, {}});
  } else {
    const ReplyFault fault{RejectReason::kJudgeUnavailable, "no batch has a reply to this question"};
    account_.AddFault(fault);
    Finish(pending, {fault, {}});
  }
}

std::size_t JudgeService::CollectQuestions(const std::function<void()>& pass) {
  // This pass leaves the account as it is: the run will count the replies that it finds in the cache.
  const JudgeAccount account = account_;
  batches_.is_collecting = true;
  pass();
  batches_.is_collecting = false;
  const std::lock_guard lock(mutex_);
  account_ = account;
  return batches_.collected.size();
}

void JudgeService::AskInBatches(const std::function<void(const std::string& message)>& tell) {
  std::vector<Pending> questions;
  for (auto& [key, pending] : std::exchange(batches_.collected, {})) questions.push_back(pending);
  std::ranges::sort(questions, {}, [](const Pending& pending) { return pending->key_; });
  BatchRun(*this, tell).Ask(questions);
}

// Drops answers that nobody holds.
void JudgeService::ForgetUnused() {
  if (asked_.size() < forget_at_) return;
  std::erase_if(asked_, [](const auto& asked) { return asked.second.expired(); });
  forget_at_ = 2 * asked_.size() + 1024;
}

JudgeLine& JudgeService::LineOf(const SharedEndpoint& shared) {
  const auto [found, is_new] = lines_.try_emplace(shared);
  JudgeLine& line = found->second;
  if (!is_new) return line;
  const JudgeEndpoint& endpoint = *shared;
  try {
    // A batch of records that could not ask its questions tries again when it is scored. The command for the
    // key, if it failed just now, is not run again.
    const auto failed = key_failures_.find(shared);
    if (failed != key_failures_.end() && HttpClock::now() - failed->second.time < kSameFailure) {
      std::rethrow_exception(failed->second.error);
    }
    line.SetKey(endpoint, ReadApiKey(endpoint.key, endpoint.model, stop_));
    if (options_.max_cost && !account_.HasPrice(endpoint)) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("--max-cost needs the price of the model {}; give it in dollars per million "
                              "tokens, as in --judge-prices '{}: {{input: 2.5, output: 10}}'",
                              QuoteForMessage(endpoint.model), endpoint.model));
    }
    if (!client_) client_ = std::make_unique<HttpClient>(stop_, kPatience);
    line.lane = client_->AddLane(endpoint.limits);
  } catch (...) {
    lines_.erase(found);
    if (!endpoint.key.command.empty()) key_failures_[shared] = {std::current_exception(), HttpClock::now()};
    throw;
  }
  return line;
}

// Gets a new key if the service refuses a key that may have expired. Tries this only once for each key.
// RETURNS: whether the question is worth asking again; if not, `why` may say why there is no new key.
// ERRORS: Error(kInterrupted).
bool JudgeService::RenewKey(PendingAnswer& pending, std::string& why) {
  const JudgeEndpoint& endpoint = *pending.endpoint_;
  if (endpoint.key.command.empty() || std::exchange(pending.has_new_key_, true)) return false;
  {
    const std::lock_guard lock(mutex_);
    JudgeLine& line = lines_.at(pending.endpoint_);
    if (line.key_number != pending.key_number_) return true;  // it was refused to another question before
    const bool is_first = line.key_number == 1;
    if (std::exchange(line.was_renewed, true) || !(line.key_worked || is_first)) return false;
  }
  std::string key;
  try {
    key = ReadApiKey(endpoint.key, endpoint.model, stop_);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInterrupted) throw;
    why = fmt::format("; {}", error.what());
    return false;
  }
  const std::lock_guard lock(mutex_);
  JudgeLine& line = lines_.at(pending.endpoint_);
  if (key == line.key) return false;
  line.SetKey(endpoint, std::move(key));
  return true;
}

// Hands the client enough questions to keep it busy; the rest wait here, where they use little memory.
void JudgeService::Pump(const JudgeEndpoint& endpoint, JudgeLine& line) {
  // Send few questions until the cost of a reply is known.
  constexpr std::size_t kMostOfUnknownCost = 4;
  const bool is_known = !options_.max_cost || line.replies != 0;
  const std::size_t most = options_.batch    ? line.waiting.size() + line.posted
                           : !line.is_probed ? 1
                           : is_known        ? 2 * std::size_t{endpoint.limits.pace.max_concurrency}
                                             : kMostOfUnknownCost;
  while (!line.waiting.empty() && line.posted < most) {
    if (WaitsForCosts(line, *line.waiting.front()) || LacksRoom(*line.waiting.front())) break;
    const Pending pending = std::move(line.waiting.front());
    line.waiting.pop_front();
    if (pending.use_count() == 1) continue;  // nobody waits for the answer now
    try {
      if (FindAgain(*pending)) continue;
      if (MayAsk(line, *pending)) {
        pending->first_form_ = pending->form_ = line.form;
        pending->left_out_ = line.left_out;
        Post(line, pending);
        ++requests_.begun;
        ++line.posted;
        ++requests_.under_way;
        requests_.room_bytes += pending->room_bytes_;
        requests_.promised_cost += pending->cost_;
      }
    } catch (...) {
      Fail(*pending, std::current_exception());
    }
  }
}

// Counts a question as in progress, because an earlier run has asked it in a batch.
void JudgeService::TakeUp(PendingAnswer& pending, std::size_t form, ParameterSet left_out) {
  JudgeLine& line = LineOf(pending.endpoint_);
  pending.first_form_ = pending.form_ = form;
  pending.left_out_ = left_out;
  pending.key_number_ = line.key_number;
  ++line.posted;
  ++requests_.under_way;
}

// Looks into the cache again if a question has waited, because another run may have stored the reply by now.
bool JudgeService::FindAgain(PendingAnswer& pending) {
  constexpr std::chrono::seconds kWorthALook{1};
  if (!keeper_ || HttpClock::now() - pending.looked_ < kWorthALook) return false;
  std::optional<KeptReply> kept = cache_->Find(pending.key_);
  if (!kept) return false;
  account_.AddCached();
  Finish(pending, {{}, *std::move(kept), /*is_cached=*/true});
  return true;
}

// Returns the possible cost of the questions in progress. Each question is assumed to cost at least as much
// as replies have cost on average, even if it was sent before the first reply showed its cost.
double JudgeService::PromisedCost(const JudgeLine& line) const {
  return std::max(requests_.promised_cost, line.MeanCost() * static_cast<double>(line.posted));
}

// Sets the possible cost of a question, if costs are limited; its model then has a price (LineOf). RETURNS:
// whether the question must wait: its cost exceeds the limit only together with questions in progress, which
// may turn out to cost less; or it belongs to a later batch (see below).
bool JudgeService::WaitsForCosts(const JudgeLine& line, PendingAnswer& pending) const {
  if (!options_.max_cost) return false;
  const JudgeEndpoint& endpoint = *pending.endpoint_;
  const double thought = account_.CostOf(endpoint, pending.tokens_in_, pending.tokens_out_).value_or(0);
  pending.cost_ = std::max(line.MeanCost(), thought);
  if (options_.batch && line.replies != 0) {
    // A batch may take a day, so a second batch is to use up the budget. Its questions wait for all replies
    // of the first, whose cost gives a better estimate.
    constexpr double kCaution = 1.05;
    if (line.estimated_cost > 0) pending.cost_ = kCaution * thought * line.cost / line.estimated_cost;
    return line.posted > batches_.unsent.size();
  }
  const double certain = account_.cost() + pending.cost_;
  return line.posted != 0 && certain <= *options_.max_cost &&
         certain + PromisedCost(line) > *options_.max_cost;
}

// Sets the disk space that the reply may need. RETURNS: whether the question must wait for questions in
// progress, because the disk has no room for all their replies. If there is no room and no question is in
// progress, nothing more is asked.
bool JudgeService::LacksRoom(PendingAnswer& pending) {
  if (options_.batch) return false;  // the service keeps its replies
  if (!broken_ && keeper_) {
    pending.room_bytes_ = 2 * pending.request_.text().size() + kRoomOfReply;
    if (keeper_->HoldRoom(requests_.room_bytes + pending.room_bytes_)) return false;
    if (requests_.under_way != 0) return true;
    broken_ = std::make_exception_ptr(
        Error(ErrorCode::kOutput,
              fmt::format("the disk is full, so the judge cache {} could not keep further replies",
                          QuoteForMessage(options_.cache, 256))));
  }
  return broken_ && requests_.under_way != 0;
}

// Tells whether a question may be asked now; if not, ends it.
// ERRORS: Error(kInterrupted); `broken_`; the refusal of the first question; Error(kResources) if a budget is
// used up and the run ends then (AtBudget::kStop).
bool JudgeService::MayAsk(const JudgeLine& line, PendingAnswer& pending) {
  const JudgeEndpoint& endpoint = *pending.endpoint_;
  if (broken_) std::rethrow_exception(broken_);
  if (stopped()) std::rethrow_exception(Interruption());
  if (line.refusal && HttpClock::now() - line.refused < kSameFailure) std::rethrow_exception(line.refusal);
  if (line.failures_in_a_row >= endpoint.max_failures) {
    Finish(pending, {{RejectReason::kJudgeStopped,
                      fmt::format("the judge was stopped after {} failures in a row (max_failures)",
                                  endpoint.max_failures)},
                     {}});
    return false;
  }
  const double promised = PromisedCost(line);
  std::string used_up;
  if (options_.max_requests && requests_.begun >= *options_.max_requests) {
    used_up =
        fmt::format("the judges have asked {} questions, the maximum (--max-requests)", requests_.begun);
  } else if (options_.max_cost && account_.cost() + promised + pending.cost_ > *options_.max_cost) {
    used_up = fmt::format(
        "the judges have cost {:.4f} dollars, questions in flight may cost {:.4f} more, and the next one may "
        "exceed --max-cost",
        account_.cost(), promised);
  }
  if (used_up.empty()) return true;
  if (options_.at_budget == JudgeOptions::AtBudget::kStop) throw Error(ErrorCode::kResources, used_up);
  Finish(pending, {{RejectReason::kJudgeBudget, used_up}, {}});
  return false;
}

void JudgeService::Post(JudgeLine& line, const Pending& pending) {
  pending->key_number_ = line.key_number;
  if (options_.batch) {
    batches_.unsent.push_back(pending);
    return;
  }
  HttpRequest post{.url = pending->endpoint_->url,
                   .headers = line.headers,
                   .body = pending->request_.Body(*pending->endpoint_, pending->form_, pending->left_out_),
                   .tokens = pending->tokens_in_ + pending->tokens_out_,
                   .status_of = [this](std::string_view body) { return reader_.StatusOf(body); }};
  client_->Post(line.lane, std::move(post),
                [this, pending](HttpReply&& reply) { return TakeReply(pending, std::move(reply)); });
}

// RETURNS: how many more tokens it used than estimated.
double JudgeService::TakeReply(const Pending& pending, HttpReply&& reply) {
  TakenReply taken;
  std::exception_ptr error;
  try {
    taken = Read(*pending, reply);
    if (taken.asks_again) {
      AskAgain(pending);
      return 0;
    }
    if (!options_.batch) EndProbe(*pending, taken);  // a batch holds nothing back
  } catch (...) {
    error = std::current_exception();
  }
  const double more_tokens = Count(*pending, reply, taken, error == nullptr);
  if (error || !taken.completion || !keeper_) {
    Settle(pending, std::move(taken.answer), error);
    return more_tokens;
  }
  try {
    keeper_->Keep(pending->key_, std::move(taken.answer.reply), [this, pending](ReplyKeeper::Kept&& kept) {
      if (kept.failure) Break(kept.failure);
      Settle(pending, {{}, std::move(kept.reply)}, kept.is_kept ? nullptr : kept.failure);
    });
  } catch (...) {
    Settle(pending, {}, std::current_exception());
  }
  return more_tokens;
}

// ERRORS: the reason why there will be no answer.
JudgeService::TakenReply JudgeService::Read(PendingAnswer& pending, HttpReply& reply) {
  const JudgeEndpoint& endpoint = *pending.endpoint_;
  TakenReply taken;
  ReplyFault& fault = taken.answer.fault;
  constexpr std::string_view kHidden = "[a reply that contained the key]";
  const JudgeLine& line = CountTries(pending.endpoint_, reply);
  const std::array keys = {line.key, line.former_key};
  for (const std::string& key : keys) {
    Redact(key, reply.body);
    Redact(key, reply.why);
    if (HidesKey(key, reply.body)) reply.body = kHidden;
  }
  if (reply.fault == HttpFault::kStopped) std::rethrow_exception(WhyStopped());
  if (reply.fault == HttpFault::kNoMemory) throw std::bad_alloc();
  if (reply.fault == HttpFault::kNoSocket) {
    throw Error(ErrorCode::kResources, fmt::format("no socket for asking the judge {}: {}; give a lower "
                                                   "max_concurrency, or allow the process more descriptors",
                                                   QuoteForMessage(endpoint.model), reply.why));
  }
  if (reply.fault != HttpFault::kNone) {
    taken.fails_all = reply.fault == HttpFault::kUnreachable || reply.fault == HttpFault::kUntrusted;
    fault = {ReasonOf(reply.fault), "no reply from the judge: " + reply.why};
  } else if (reply.status != 200) {
    const ServiceError said =
        reader_.ReadError(reply.body, AskedTexts({pending.request_.body_before_format()}));
    const bool may_be_request = reply.status == 400 || reply.status == 422;
    taken.asks_again = may_be_request && (LeavesOut(pending, said) || LowersForm(pending, said));
    std::string no_key;
    if (reply.status == 401 && RenewKey(pending, no_key)) taken.asks_again = true;
    taken.fails_all =
        !said.refuses && (RefusesAll(reply.status, reply.body) || (may_be_request && said.about_format));
    fault = {said.refuses ? RejectReason::kJudgeRefused : RejectReason::kJudgeUnavailable,
             fmt::format("the judge answered with status {}{}: {}{}", reply.status,
                         HintOn(reply.status, endpoint), said.message, no_key)};
  } else if (taken.completion = reader_.ReadCompletion(reply.body);
             taken.completion && std::ranges::any_of(keys, [&](const std::string& key) {
               return TellsKey(key, taken.completion->content);
             })) {
    // It stood in several parts of the text.
    taken.completion.reset();
    fault = {RejectReason::kJudgeBadReply, fmt::format("the judge's reply is not a completion: {}", kHidden)};
  } else if (!taken.completion) {
    fault = {RejectReason::kJudgeBadReply, fmt::format("the judge's reply is not a completion: {}",
                                                       reader_.ReadError(reply.body, AskedTexts()).message)};
  } else {
    taken.answer.reply = {std::move(pending.request_).text(), std::string(FormName(endpoint, pending.form_)),
                          std::move(reply.body)};
  }
  return taken;
}

// Lets other questions follow the first one, unless its outcome shows that all would fail. If the endpoint
// may fail, they follow in any case.
// ERRORS: Error(kUsage) if they do not follow.
void JudgeService::EndProbe(const PendingAnswer& pending, const TakenReply& taken) {
  const JudgeEndpoint& endpoint = *pending.endpoint_;
  const std::lock_guard lock(mutex_);
  JudgeLine& line = lines_.at(pending.endpoint_);
  if (line.is_probed) return;
  line.is_probed = !taken.fails_all || endpoint.may_fail;
  if (line.is_probed) return;
  line.refusal = std::make_exception_ptr(
      Error(ErrorCode::kUsage,
            fmt::format("the first question to the judge {} failed as all others would, so they were not "
                        "asked: {}; mend this in its configuration (key, model, base_url) or at the service, "
                        "and run again",
                        QuoteForMessage(endpoint.model), taken.answer.fault.message)));
  line.refused = HttpClock::now();
  std::rethrow_exception(line.refusal);
}

const JudgeLine& JudgeService::CountTries(const SharedEndpoint& endpoint, const HttpReply& reply) {
  const std::lock_guard lock(mutex_);
  account_.AddRequests(reply.tries, reply.tries > 1 ? reply.tries - 1 : 0);
  return lines_.at(endpoint);
}

// Leaves parameters out of a question that was refused because of them. RETURNS: whether the question had any
// of these parameters.
bool JudgeService::LeavesOut(PendingAnswer& pending, const ServiceError& said) {
  const ParameterSet refused = said.about & pending.endpoint_->parameters.given() & ~pending.left_out_;
  pending.left_out_ |= refused;
  return refused.any();
}

// Changes a refused question to the next form, if it is worth asking in that form. RETURNS: whether it is.
// Services seldom say what they do not support. So the next form is worth a try, unless a reply in this form
// or a stricter one has come before and the refusal does not mention the format. A strict endpoint is asked
// in one form only.
bool JudgeService::LowersForm(PendingAnswer& pending, const ServiceError& said) {
  if (pending.endpoint_->strict || pending.form_ + 1 == kReplyForms) return false;
  const std::lock_guard lock(mutex_);
  if (!said.about_format && lines_.at(pending.endpoint_).known_form <= pending.form_) return false;
  pending.form_ = NextForm(*pending.endpoint_, pending.form_);
  return true;
}

// Asks a question again, in its present form; it stays in progress. ERRORS: Error(kInterrupted); `broken_`.
void JudgeService::AskAgain(const Pending& pending) {
  const std::lock_guard lock(mutex_);
  if (broken_) std::rethrow_exception(broken_);
  if (stopped()) std::rethrow_exception(Interruption());
  Post(lines_.at(pending->endpoint_), pending);
}

// Counts the outcome and the cost of a question, even if its reply is not stored. RETURNS: as TakeReply.
double JudgeService::Count(const PendingAnswer& pending, const HttpReply& reply, const TakenReply& taken,
                           bool has_answer) {
  const std::lock_guard lock(mutex_);
  requests_.promised_cost -= pending.cost_;
  JudgeLine& line = lines_.at(pending.endpoint_);
  if (has_answer) {
    const bool failed = !taken.completion && taken.answer.fault.reason != RejectReason::kJudgeRefused;
    line.failures_in_a_row = failed ? line.failures_in_a_row + 1 : 0;
  }
  if (!taken.completion) return 0;
  if (pending.key_number_ == line.key_number) line.key_worked = true;
  line.LearnForm(pending.first_form_, pending.form_, pending.left_out_);
  account_.AddLeftOut(pending.left_out_);
  if (!options_.batch) account_.AddLatency(reply.latency);
  const Completion& completion = *taken.completion;
  const double tokens = completion.prompt_tokens + completion.completion_tokens;
  // A service may not count tokens.
  const double written = static_cast<double>(completion.content.size()) / kBytesPerToken;
  line.cost += tokens == 0 ? account_.AddTokens(*pending.endpoint_, pending.tokens_in_, written)
                           : account_.AddTokens(*pending.endpoint_, completion.prompt_tokens,
                                                completion.completion_tokens);
  line.estimated_cost +=
      account_.CostOf(*pending.endpoint_, pending.tokens_in_, pending.tokens_out_).value_or(0);
  if (++line.replies == 1 && options_.on_probe && !options_.batch) {
    const JudgeEndpoint& endpoint = *pending.endpoint_;
    options_.on_probe({endpoint.model, FormName(endpoint, pending.form_), reply.latency,
                       account_.HasPrice(endpoint) ? std::optional(line.cost) : std::nullopt,
                       endpoint.limits.pace.max_concurrency});
  }
  return tokens == 0 ? 0 : tokens - pending.tokens_in_ - pending.tokens_out_;
}

// Stops asking, because replies can no longer be stored.
void JudgeService::Break(const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  if (!broken_) broken_ = error;
  if (!ending_) client_->BeginNoMore();
}

std::exception_ptr JudgeService::WhyStopped() const {
  const std::lock_guard lock(mutex_);
  return broken_ ? broken_ : Interruption();
}

// Delivers the result of a question that was in progress, and lets the next ones follow.
void JudgeService::Settle(const Pending& pending, JudgeAnswer answer, const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  if (!error) {
    Finish(*pending, std::move(answer));
  } else if (broken_ && !options_.batch) {
    lost_.push_back(pending);
  } else {
    Fail(*pending, error);
  }
  --lines_.at(pending->endpoint_).posted;
  --requests_.under_way;
  requests_.room_bytes -= pending->room_bytes_;
  if (broken_ && requests_.under_way == 0) EndBroken();
  for (auto& [endpoint, line] : lines_) Pump(*endpoint, line);  // they may have waited for room
}

// Tells waiting callers why there is no answer, and where to find replies that the cache could not take.
void JudgeService::EndBroken() {
  try {
    std::rethrow_exception(broken_);
  } catch (const Error& error) {
    if (ending_) return;  // nobody waits, and the keeper ends as well
    broken_ = std::make_exception_ptr(Error(error.code(), error.what() + keeper_->Elsewhere()));
  } catch (...) {  // out of memory
  }
  for (const Pending& pending : lost_) Fail(*pending, broken_);
  lost_.clear();
}

void JudgeService::CountFault(const ReplyFault& fault) {
  if (!options_.dry_run) account_.AddFault(fault);
}

void JudgeService::Finish(PendingAnswer& pending, JudgeAnswer answer) {
  if (!options_.batch) CountFault(answer.fault);
  pending.request_ = {};
  pending.answer_ = std::move(answer);
  End(pending);
}

void JudgeService::Fail(PendingAnswer& pending, const std::exception_ptr& error) {
  pending.error_ = error;
  End(pending);
}

void JudgeService::End(PendingAnswer& pending) {
  pending.done_ = true;
  if (pending.awaited_) finished_.notify_all();
}

void JudgeService::CountReading(const SharedEndpoint& endpoint, std::string_view read_as) {
  const std::lock_guard lock(mutex_);
  account_.AddReading(endpoint, read_as);
}

bool JudgeService::CountUnread(const SharedEndpoint& endpoint, const ReplyFault& fault) {
  const std::lock_guard lock(mutex_);
  CountFault(fault);
  return account_.AddUnread(endpoint) < endpoint->max_failures;
}

JudgeReport JudgeService::Report() const {
  const std::lock_guard lock(mutex_);
  return account_.Report();
}

}  // namespace leafscore::internal
