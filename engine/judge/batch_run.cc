#include "engine/judge/batch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/http/retry_rules.h"
#include "engine/judge/redact.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstLook{1000};  // the wait between two looks at the batches, which grows
constexpr milliseconds kLongestLook{60'000};
constexpr milliseconds kStep{50};
constexpr unsigned kMostSilentLooks = 3;
constexpr unsigned kPatientTries = 5;  // at least, if a service is overloaded: half a minute in all

// A service's refusal of a request about batches. Its status is 0 if no reply came.
class BatchRefusal : public Error {
 public:
  BatchRefusal(long status, const std::string& message)
      : Error(ErrorCode::kInput, message), status_(status) {}
  long status() const { return status_; }
  // Tells whether the service may have carried out the request after all.
  bool is_unclear() const { return status_ == 0 || MayChange(status_, ""); }

 private:
  long status_;
};

LaneLimits LimitsOfBatches(unsigned max_retries) {
  LaneLimits limits{.max_retries = max_retries};
  limits.timeout = std::chrono::minutes(10);
  limits.max_reply_bytes = std::size_t{1} << 30;
  return limits;
}

std::vector<std::string> KeysIn(const SentBatch& sent) {
  constexpr std::size_t kBytes = sizeof(Sha256);
  std::vector<std::string> keys;
  for (std::size_t at = 0; at + kBytes <= sent.questions.size(); at += kBytes)
    keys.push_back(sent.questions.substr(at, kBytes));
  return keys;
}

Sha256 KeyFrom(std::string_view bytes) {
  Sha256 key{};
  std::ranges::copy(bytes, key.begin());
  return key;
}

}  // namespace

BatchRun::BatchRun(JudgeService& service, const Tell& tell)
    : service_(service),
      tell_(tell),
      client_(service.stop_),
      repeating_lane_(client_.AddLane(LimitsOfBatches(5))),
      single_lane_(client_.AddLane(LimitsOfBatches(0))) {}

void BatchRun::Ask(const std::vector<Pending>& questions) {
  std::map<std::string, Pending> unsent;  // by key
  for (const Pending& pending : questions) unsent.emplace(BytesOf(pending->key_), pending);
  GoOn(unsent);
  {
    const std::lock_guard lock(service_.mutex_);
    for (const auto& [key, pending] : unsent) service_.LineOf(pending->endpoint_).waiting.push_back(pending);
    for (auto& [endpoint, line] : service_.lines_) service_.Pump(*endpoint, line);
  }
  while (true) {
    SubmitAll();
    if (batches_.empty()) break;
    WaitForOne();
    const auto ended =
        std::ranges::find_if(batches_, [](const Batch& batch) { return batch.state.has_ended; });
    Take(*ended);
    batches_.erase(ended);
  }
  for (const Pending& pending : questions) {
    const ReplyFault& fault = pending->Wait(nullptr).fault;  // throws if something kept it from being asked
    if (fault.reason != RejectReason::kNone)
      service_.batches_.faults.try_emplace(std::string(BytesOf(pending->key_)), fault);
  }
}

BatchApi& BatchRun::ApiOf(const SharedEndpoint& endpoint) {
  const auto known = apis_.find(endpoint);
  if (known != apis_.end()) return known->second;
  const auto call = [this, endpoint](HttpRequest request, bool may_repeat) {
    return Call(endpoint, std::move(request), may_repeat);
  };
  return apis_.try_emplace(endpoint, endpoint->api, endpoint->url, call).first->second;
}

HttpReply BatchRun::Send(HttpRequest request, bool may_repeat) {
  std::promise<HttpReply> came;
  request.only_once = !may_repeat;
  client_.Post(may_repeat ? repeating_lane_ : single_lane_, std::move(request), [&](HttpReply&& reply) {
    came.set_value(std::move(reply));
    return 0;
  });
  return came.get_future().get();
}

// ERRORS: BatchRefusal; Error(kInterrupted).
std::string BatchRun::Call(const SharedEndpoint& endpoint, HttpRequest request, bool may_repeat) {
  for (bool is_renewed = false;; is_renewed = true) {
    std::string key;
    {
      const std::lock_guard lock(service_.mutex_);
      const JudgeLine& line = service_.LineOf(endpoint);
      request.headers = line.headers;
      key = line.key;
    }
    HttpReply reply = Send(request, may_repeat);
    if (reply.fault == HttpFault::kStopped) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    if (reply.fault == HttpFault::kNone && reply.status == 200) return std::move(reply.body);
    if (reply.status == 401 && !is_renewed && !endpoint->key.command.empty()) {
      std::string renewed = ReadApiKey(endpoint->key, endpoint->model, service_.stop_);
      const std::lock_guard lock(service_.mutex_);
      service_.LineOf(endpoint).SetKey(*endpoint, std::move(renewed));
      continue;
    }
    Redact(key, reply.body);
    Redact(key, reply.why);
    if (HidesKey(key, reply.body)) reply.body = "[a reply that contained the key]";
    if (reply.fault != HttpFault::kNone)
      throw BatchRefusal(0, fmt::format("no reply from the batch service of {}: {}",
                                        QuoteForMessage(endpoint->url, 256), reply.why));
    throw BatchRefusal(reply.status,
                       fmt::format("the batch service of {} answered with status {}: {}",
                                   QuoteForMessage(endpoint->url, 256), reply.status,
                                   service_.reader_.ReadError(reply.body, AskedTexts()).message));
  }
}

std::set<std::string> BatchRun::KnownBatches() const {
  std::set<std::string> known = taken_;
  for (const SentBatch& sent : service_.cache_->Batches()) known.insert(sent.batch);
  return known;
}

// Finds out whether a service received a batch. RETURNS: false if it did not; the batch is then forgotten.
bool BatchRun::Recover(BatchApi& api, SentBatch& sent) {
  if (!sent.batch.empty()) return true;
  const std::optional<std::string> found =
      api.Find(sent.token, sent.questions.size() / sizeof(Sha256), KnownBatches());
  if (found) {
    sent.batch = *found;
    service_.cache_->KeepBatch(sent);
  } else {
    service_.cache_->ForgetBatch(sent.token);
  }
  return found.has_value();
}

// Takes up the batches of earlier runs that contain questions of this run, and removes these questions from
// `unsent`.
void BatchRun::GoOn(std::map<std::string, Pending>& unsent) {
  for (SentBatch& sent : service_.cache_->Batches()) {
    Batch batch{.endpoint = nullptr, .sent = std::move(sent), .open = {}};
    bool all_kept = true;
    for (const std::string& key : KeysIn(batch.sent)) {
      const auto open = unsent.find(key);
      const bool is_open = open != unsent.end() && open->second->endpoint_->url == batch.sent.url;
      if (is_open) batch.open.emplace(HexOf(key), open->second);
      all_kept = all_kept && !is_open && service_.cache_->Find(KeyFrom(key)).has_value();
    }
    if (all_kept) service_.cache_->ForgetBatch(batch.sent.token);
    if (batch.open.empty()) continue;
    batch.endpoint = batch.open.begin()->second->endpoint_;
    if (!Recover(ApiOf(batch.endpoint), batch.sent)) continue;
    {
      const std::lock_guard lock(service_.mutex_);
      for (const auto& [id, pending] : batch.open) {
        service_.TakeUp(*pending, std::min<std::size_t>(batch.sent.form, kReplyForms - 1),
                        batch.sent.left_out);
        unsent.erase(std::string(BytesOf(pending->key_)));
      }
    }
    tell_(fmt::format("going on with batch {}: {} questions", batch.sent.batch, batch.open.size()));
    batches_.push_back(std::move(batch));
  }
}

// Hands over all questions that are still to be asked.
void BatchRun::SubmitAll() {
  std::vector<Pending> unsent;
  {
    const std::lock_guard lock(service_.mutex_);
    unsent.swap(service_.batches_.unsent);
  }
  std::map<std::tuple<SharedEndpoint, std::size_t, unsigned long>, Group> groups;
  for (Pending& pending : unsent) {
    const auto how = std::tuple(pending->endpoint_, pending->form_, pending->left_out_.to_ulong());
    groups[how].push_back(std::move(pending));
  }
  for (const auto& [how, group] : groups) Submit(group);
}

// Hands over a group of questions, in batches within the service's limits.
void BatchRun::Submit(const Group& group) {
  const std::size_t most_bytes = group.empty() ? 0 : ApiOf(group.front()->endpoint_).most_bytes();
  for (std::size_t next = 0; next < group.size();) {
    const Pending& first = group[next];
    Batch batch{
        .endpoint = first->endpoint_,
        .sent = {.url = first->endpoint_->url, .form = first->form_, .left_out = first->left_out_.to_ulong()},
        .open = {}};
    std::vector<BatchQuestion> questions;
    std::size_t bytes = 0;
    for (; next < group.size() && questions.size() < kMostBatchQuestions; ++next) {
      const PendingAnswer& pending = *group[next];
      std::string body = pending.request_.Body(*pending.endpoint_, pending.form_, pending.left_out_);
      if (!questions.empty() && bytes + body.size() > most_bytes) break;
      bytes += body.size();
      questions.push_back({HexOf(pending.key_), std::move(body)});
      batch.sent.questions += BytesOf(pending.key_);
      batch.open.emplace(questions.back().id, group[next]);
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    batch.sent.token =
        HexOf(HashOf({batch.sent.url, batch.sent.questions, std::to_string(now)})).substr(0, 32);
    HandOver(batch, questions);
    tell_(fmt::format(
        "asked {} questions in batch {}; if this run ends early, the same command goes on with it",
        questions.size(), batch.sent.batch));
    batches_.push_back(std::move(batch));
  }
}

// Hands over a batch. If it is unclear whether the service received the batch, looks for it at the service
// before handing it over again.
void BatchRun::HandOver(Batch& batch, const std::vector<BatchQuestion>& questions) {
  BatchApi& api = ApiOf(batch.endpoint);
  milliseconds wait = kFirstLook;
  for (unsigned tries = 0; batch.sent.batch.empty(); ++tries) {
    service_.cache_->KeepBatch(batch.sent);
    try {
      batch.sent.batch = api.Submit(batch.sent.token, questions);
    } catch (const BatchRefusal& refusal) {
      if (!refusal.is_unclear()) service_.cache_->ForgetBatch(batch.sent.token);
      const unsigned least = SaysOverloaded(refusal.status()) ? kPatientTries : 0;
      const unsigned most = std::max(batch.endpoint->limits.max_retries, least);
      if (!refusal.is_unclear() || tries >= most) throw;
      Sleep(wait);
      wait = std::min(2 * wait, kLongestLook);
      if (Recover(api, batch.sent)) return;
    }
  }
  service_.cache_->KeepBatch(batch.sent);
}

// Looks at all batches again and again until one has ended.
void BatchRun::WaitForOne() {
  for (milliseconds wait = kFirstLook;; wait = std::min(wait * 3 / 2, kLongestLook)) {
    bool any_ended = false;
    for (Batch& batch : batches_) {
      try {
        batch.state = ApiOf(batch.endpoint).Look(batch.sent.batch);
        CheckSays(batch);
      } catch (const BatchRefusal& refusal) {
        if (refusal.status() != 404) throw;
        batch.state = {.has_ended = true, .name = "not known to the service any more"};
        tell_(fmt::format("batch {} is {}: {} questions are asked again", batch.sent.batch, batch.state.name,
                          batch.open.size()));
      }
      any_ended |= batch.state.has_ended;
    }
    if (any_ended) return;
    Sleep(wait);
  }
}

// Checks that the service said how far a batch is. A proxy in front of the service may send any other text
// with status 200, in one reply or in all.
// ERRORS: Error(kInput) if several replies in a row did not say how far the batch is.
void BatchRun::CheckSays(Batch& batch) {
  if (batch.state.has_ended || !batch.state.name.empty()) {
    batch.silent_looks = 0;
    return;
  }
  const std::string message = fmt::format("the batch service of {} does not say how far batch {} is",
                                          QuoteForMessage(batch.endpoint->url, 256), batch.sent.batch);
  if (++batch.silent_looks > kMostSilentLooks)
    throw Error(ErrorCode::kInput, message + "; the same command goes on with it");
  if (batch.silent_looks == 1) tell_(message + "; looking again");
}

// ERRORS: Error(kInterrupted).
void BatchRun::Sleep(milliseconds time) const {
  for (const HttpTime end = HttpClock::now() + time; HttpClock::now() < end;) {
    if (service_.stopped()) {
      const std::string under_way =
          batches_.size() == 1 ? "a batch goes" : fmt::format("{} batches go", batches_.size());
      throw Error(
          ErrorCode::kInterrupted,
          fmt::format("the run was interrupted; {} on at the service, and the same command takes the replies",
                      under_way));
    }
    std::this_thread::sleep_for(kStep);
  }
}

// Takes the replies of a batch that has ended.
void BatchRun::Take(Batch& batch) {
  std::set<std::string> asked;
  for (const std::string& key : KeysIn(batch.sent)) asked.insert(HexOf(key));
  std::set<std::string> seen;
  std::size_t unasked = 0;
  std::size_t twice = 0;
  std::vector<Pending> given;
  bool is_gone = false;
  const auto take = [&](BatchReply reply) {
    const std::string id = reply.id;
    if (!asked.contains(id)) {
      ++unasked;
    } else if (!seen.insert(id).second) {
      ++twice;
    } else if (const auto open = batch.open.find(id); open != batch.open.end()) {
      given.push_back(open->second);
      Give(batch, open->second, std::move(reply));
    }
  };
  for (const std::string& path : batch.state.results) {
    try {
      ApiOf(batch.endpoint).Read(path, take);
    } catch (const BatchRefusal& refusal) {
      if (refusal.status() != 404) throw;
      is_gone = true;  // services delete results after some weeks; lost questions are asked again
      batch.state.name = "gone, with its results";
    }
  }
  for (const auto& [id, pending] : batch.open) {
    if (seen.contains(id)) continue;
    given.push_back(pending);
    Give(batch, pending, {.id = id});
  }
  Settle(given);
  if (unasked + twice != 0) {
    tell_(
        fmt::format("batch {}: refused {} replies to questions that it does not have, and {} second replies",
                    batch.sent.batch, unasked, twice));
  }
  taken_.insert(batch.sent.batch);
  // If other questions of the batch have no reply in the cache, the batch stays recorded: a later run that
  // asks them can take their replies.
  if (is_gone || batch.open.size() == asked.size() ||
      std::ranges::all_of(KeysIn(batch.sent), [&](const std::string& key) {
        return batch.open.contains(HexOf(key)) || service_.cache_->Find(KeyFrom(key)).has_value();
      })) {
    service_.cache_->ForgetBatch(batch.sent.token);
  }
}

// Passes a reply on, or has the question asked in another batch.
void BatchRun::Give(const Batch& batch, const Pending& pending, BatchReply reply) {
  HttpReply came{.status = reply.status, .body = std::move(reply.body), .tries = 1};
  if (came.status == 200) came.status = service_.reader_.StatusOf(came.body);
  const bool may_change = reply.status == 0 || (came.status != 200 && MayChange(came.status, came.body));
  const bool may_repeat =
      batch.state.failure.empty() && pending->batch_tries_ < pending->endpoint_->limits.max_retries;
  if (may_change && may_repeat) {
    const std::lock_guard lock(service_.mutex_);
    ++pending->batch_tries_;
    service_.account_.AddRequests(1, 1);
    service_.batches_.unsent.push_back(pending);
    return;
  }
  if (reply.status == 0) {
    const std::string why = !batch.state.failure.empty() ? "failed: " + batch.state.failure
                            : !reply.why.empty()         ? "has none: " + reply.why
                                                         : "has none, and is " + batch.state.name;
    came.fault = HttpFault::kUnreachable;
    came.why = fmt::format("batch {} {}", batch.sent.batch, why);
  }
  if (came.body.size() > pending->endpoint_->limits.max_reply_bytes) {
    came = {.fault = HttpFault::kTooLong, .why = "it is too long", .tries = 1};
  }
  service_.TakeReply(pending, std::move(came));
}

// Waits until the replies are stored. Questions that are asked again get their replies later.
void BatchRun::Settle(const std::vector<Pending>& given) {
  for (const Pending& pending : given) {
    {
      const std::lock_guard lock(service_.mutex_);
      if (std::ranges::find(service_.batches_.unsent, pending) != service_.batches_.unsent.end()) continue;
    }
    pending->Wait(nullptr);
  }
}

}  // namespace leafscore::internal
