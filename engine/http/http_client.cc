#include "engine/http/http_client.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/signals.h"
#include "engine/base/suggest.h"
#include "engine/http/asked_delay.h"
#include "engine/http/curl_functions.h"
#include "engine/http/curl_loop.h"
#include "engine/http/retry_rules.h"
#include "engine/http/url_host.h"
#include "leafscore/version.h"

namespace leafscore::internal {
namespace {

using Milliseconds = std::chrono::milliseconds;

// The thread's longest sleep, as nothing wakes it when *stop becomes true.
constexpr Milliseconds kLongestSleep{50};

struct Lane {
  Lane(const LaneLimits& of_lane, HttpTime now) : limits(of_lane), pace(of_lane.pace, now) {}
  const LaneLimits limits;
  LanePace pace;
  bool was_reached = false;  // a reply came
};

struct SlistDeleter {
  void operator()(curl_slist* list) const { Curl().slist_free_all(list); }
};
struct EasyDeleter {
  void operator()(CURL* easy) const { Curl().easy_cleanup(easy); }
};

// Returns whether a socket could not be made because this process has too few resources, whatever the host.
bool IsOfThisMachine(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

bool IsAboutCertificate(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
         code == CURLE_SSL_ISSUER_ERROR || code == CURLE_SSL_INVALIDCERTSTATUS;
}

bool IsUnresolved(CURLcode code) {
  return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY;
}

HttpFault FaultOf(CURLcode code) {
  if (code == CURLE_OK) return HttpFault::kNone;
  if (code == CURLE_OPERATION_TIMEDOUT) return HttpFault::kTimedOut;
  if (IsAboutCertificate(code)) return HttpFault::kUntrusted;
  const bool is_there = !IsUnresolved(code) && code != CURLE_COULDNT_CONNECT && code != CURLE_URL_MALFORMAT &&
                        code != CURLE_UNSUPPORTED_PROTOCOL && code != CURLE_SSL_CONNECT_ERROR;
  return is_there ? HttpFault::kBroken : HttpFault::kUnreachable;
}

bool MayChange(CURLcode code) {
  return !IsAboutCertificate(code) && code != CURLE_URL_MALFORMAT && code != CURLE_UNSUPPORTED_PROTOCOL &&
         code != CURLE_WRITE_ERROR;  // our own error, for a reply that is too long
}

}  // namespace

// The thread and its private data. Only data guarded by `mutex_` are shared.
class HttpClient::Loop {
 public:
  Loop(const std::atomic<bool>* stop, Milliseconds patience) : stop_(stop), patience_(patience) {
    thread_ = std::thread([this] { Run(); });
  }

  ~Loop() {
    ending_ = true;
    curl_.Wake();
    thread_.join();
  }

  std::size_t AddLane(const LaneLimits& limits) {
    const std::lock_guard lock(mutex_);
    lanes_.push_back(std::make_unique<Lane>(limits, HttpClock::now()));
    return lanes_.size() - 1;
  }

  void Post(std::size_t lane, HttpRequest request, Done done) {
    auto transfer = std::make_unique<Transfer>();
    transfer->request = std::move(request);
    bool was_empty = false;
    {
      const std::lock_guard lock(mutex_);
      transfer->lane = lanes_[lane].get();
      was_empty = inbox_.empty();
      inbox_.push_back(std::move(transfer));
      inbox_.back()->done = std::move(done);  // last, as it will be called from here on
    }
    // The thread of the loop need not be woken: it looks into the inbox after each answer.
    if (was_empty && std::this_thread::get_id() != thread_.get_id()) curl_.Wake();
  }

  void BeginNoMore() {
    begins_no_more_ = true;
    curl_.Wake();
  }

 private:
  struct Transfer {
    // If memory ran out before the transfer could end, its destruction answers the caller, who waits.
    ~Transfer() {
      if (done) End(HttpFault::kNoMemory);
    }
    double End() { return std::exchange(done, nullptr)(std::move(reply)); }
    void End(HttpFault fault) {
      reply.fault = fault;
      End();
    }

    Lane* lane = nullptr;
    HttpRequest request;
    Done done;
    HttpReply reply;
    AskedDelay asked;
    bool too_long = false;
    int socket_error = 0;  // why a socket could not be made
    HttpTime begun;
    std::unique_ptr<CURL, EasyDeleter> easy;
    std::unique_ptr<curl_slist, SlistDeleter> headers;
    char error[CURL_ERROR_SIZE] = "";
  };
  using TransferPtr = std::unique_ptr<Transfer>;

  // The waiting requests of a lane.
  struct Queue {
    std::deque<TransferPtr> fresh;
    std::multimap<HttpTime, TransferPtr> again;  // by the time of the next try
    bool empty() const { return fresh.empty() && again.empty(); }
  };

  void Run() {
    BlockSignals();  // write calls report broken connections
    while (!ending_ || !under_way_.empty()) {
      try {
        Round();
      } catch (const std::exception&) {  // out of memory
        EndAll(HttpFault::kNoMemory);
      }
    }
    EndAll(HttpFault::kStopped);
  }

  void Round() {
    const HttpTime next = BeginAll();
    curl_.Run(next, [this](CURL* easy, CURLcode code) {
      const auto found = under_way_.find(easy);
      TransferPtr transfer = std::move(found->second);
      under_way_.erase(found);
      EndTry(std::move(transfer), code);
      BeginAll();
    });
  }

  // RETURNS: when to look again, if no transfer ends before.
  HttpTime BeginAll() {
    TakeInbox();
    const HttpTime now = HttpClock::now();
    if (stopped()) EndWhatWaits(now);
    if (begins_no_more_) EndQueues(HttpFault::kStopped);
    HttpTime next = now + kLongestSleep;
    for (auto& [lane, queue] : queues_) next = std::min(next, BeginWhatMay(*lane, queue, now));
    return next;
  }

  void TakeInbox() {
    std::vector<TransferPtr> taken;
    {
      const std::lock_guard lock(mutex_);
      taken.swap(inbox_);
    }
    for (TransferPtr& transfer : taken) queues_[transfer->lane].fresh.push_back(std::move(transfer));
  }

  // RETURNS: when to look again, if no transfer ends before.
  HttpTime BeginWhatMay(Lane& lane, Queue& queue, HttpTime now) {
    while (lane.pace.has_room() && !queue.empty()) {
      const auto again = queue.again.begin();
      const bool is_again = again != queue.again.end() && (again->first <= now || queue.fresh.empty());
      if (is_again && again->first > now) return again->first;
      const double tokens = (is_again ? again->second : queue.fresh.front())->request.tokens;
      if (const HttpTime start = lane.pace.NextStart(now, tokens); start > now) return start;
      TransferPtr transfer;
      if (is_again) {
        transfer = std::move(again->second);
        queue.again.erase(again);
      } else {
        transfer = std::move(queue.fresh.front());
        queue.fresh.pop_front();
      }
      Begin(std::move(transfer), now);
    }
    return queue.again.empty() ? HttpTime::max() : queue.again.begin()->first;
  }

  void Begin(TransferPtr transfer, HttpTime now) {
    const LaneLimits& limits = transfer->lane->limits;
    const HttpRequest& request = transfer->request;
    transfer->easy.reset(Curl().easy_init());
    SetHeaders(*transfer);
    CURL* const easy = transfer->easy.get();
    if (easy == nullptr) throw std::bad_alloc();
    transfer->reply.body.clear();
    transfer->asked = {};
    transfer->socket_error = 0;
    transfer->begun = now;
    Curl().easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
    Curl().easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    Curl().easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    Curl().easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    Curl().easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    Curl().easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
    // Over TLS, the first request finds out whether one connection can serve all.
    Curl().easy_setopt(easy, CURLOPT_PIPEWAIT, request.url.starts_with("https:") ? 1L : 0L);
    Curl().easy_setopt(easy, CURLOPT_USERAGENT, user_agent_.c_str());
    Curl().easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers.get());
    Curl().easy_setopt(easy, CURLOPT_FRESH_CONNECT, request.only_once ? 1L : 0L);
    if (request.is_get) {
      Curl().easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    } else {
      Curl().easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
      Curl().easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    Curl().easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect_timeout.count()));
    Curl().easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.timeout.count()));
    Curl().easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &Loop::OpenSocket);
    Curl().easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer.get());
    Curl().easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Loop::TakeBody);
    Curl().easy_setopt(easy, CURLOPT_WRITEDATA, transfer.get());
    Curl().easy_setopt(easy, CURLOPT_HEADERFUNCTION, &Loop::TakeHeader);
    Curl().easy_setopt(easy, CURLOPT_HEADERDATA, transfer.get());
    if (const char* const certificates = std::getenv("SSL_CERT_FILE"); certificates != nullptr) {
      Curl().easy_setopt(easy, CURLOPT_CAINFO, certificates);
    }
    curl_.Add(easy);
    try {
      under_way_.try_emplace(easy).first->second = std::move(transfer);
    } catch (...) {
      curl_.Remove(easy);
      throw;
    }
    Transfer& begun = *under_way_.at(easy);
    begun.lane->pace.Begin(now, request.tokens);
    ++begun.reply.tries;
  }

  // ERRORS: std::bad_alloc; a request must not go out with a header missing.
  static void SetHeaders(Transfer& transfer) {
    const auto append = [&](const char* header) {
      curl_slist* const longer = Curl().slist_append(transfer.headers.get(), header);
      if (longer == nullptr) throw std::bad_alloc();
      static_cast<void>(transfer.headers.release());  // now part of the longer list
      transfer.headers.reset(longer);
    };
    transfer.headers.reset();
    if (!transfer.request.is_get) append(("Content-Type: " + transfer.request.content_type).c_str());
    for (const std::string& header : transfer.request.headers) append(header.c_str());
    append("Expect:");  // 100-continue costs a round trip
  }

  static curl_socket_t OpenSocket(void* of_transfer, curlsocktype /*purpose*/, curl_sockaddr* address) {
    const int made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (made < 0) static_cast<Transfer*>(of_transfer)->socket_error = errno;
    return made;
  }

  static std::size_t TakeBody(char* data, std::size_t /*one*/, std::size_t size, void* of_transfer) {
    Transfer& transfer = *static_cast<Transfer*>(of_transfer);
    transfer.too_long = transfer.reply.body.size() + size > transfer.lane->limits.max_reply_bytes;
    if (transfer.too_long) return 0;
    try {
      transfer.reply.body.append(data, size);
    } catch (const std::bad_alloc&) {
      return 0;
    }
    return size;
  }

  static std::size_t TakeHeader(char* data, std::size_t /*one*/, std::size_t size, void* of_transfer) {
    static_cast<Transfer*>(of_transfer)->asked.Take({data, size}, std::time(nullptr));
    return size;
  }

  void EndTry(TransferPtr transfer, CURLcode code) {
    const HttpTime now = HttpClock::now();
    TakeResult(*transfer, code, now);
    HttpReply& reply = transfer->reply;
    Lane& lane = *transfer->lane;
    const bool has_reply = reply.fault == HttpFault::kNone;
    lane.was_reached = lane.was_reached || has_reply;
    const bool refused = has_reply && SaysOverloaded(reply.status);
    const bool tries_again = MayTryAgain(*transfer, code);
    // If a service asks for a longer delay, try after the longest delay anyway.
    const Milliseconds asked_delay =
        std::min(transfer->asked.retry_after.value_or(Milliseconds(0)), lane.limits.longest_delay);
    const bool used_up = PauseIfUsedUp(*transfer, refused, now, asked_delay);
    if (refused) {
      lane.pace.EndRefused(now, transfer->begun, {!used_up && transfer->asked.is_by_load(), asked_delay});
    } else if (!has_reply || tries_again) {
      lane.pace.EndOtherwise();
    }
    if (tries_again) {
      const Milliseconds delay = std::max(
          asked_delay, BackOff(reply.tries, lane.limits.first_delay, lane.limits.longest_delay, random_));
      queues_[&lane].again.emplace(now + delay, std::move(transfer));
      return;
    }
    const double more_tokens = transfer->End();
    if (has_reply && !refused) lane.pace.EndWell(now, transfer->begun, more_tokens);
  }

  static void TakeResult(Transfer& transfer, CURLcode code, HttpTime now) {
    HttpReply& reply = transfer.reply;
    reply.fault = transfer.too_long ? HttpFault::kTooLong : FaultOf(code);
    if (reply.fault != HttpFault::kNone && IsOfThisMachine(transfer.socket_error)) {
      reply.fault = HttpFault::kNoSocket;
    }
    reply.latency = std::chrono::floor<std::chrono::microseconds>(now - transfer.begun);
    reply.why.clear();
    if (reply.fault == HttpFault::kNone) {
      Curl().easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &reply.status);
      const auto& status_of = transfer.request.status_of;
      if (reply.status == 200 && status_of) reply.status = status_of(reply.body);
    } else {
      reply.why = WhyOf(transfer, code);
    }
    transfer.easy.reset();
  }

  // A host that was never reached and cannot be resolved is probably mistyped, so it is tried only once more.
  bool MayTryAgain(const Transfer& transfer, CURLcode code) const {
    const HttpReply& reply = transfer.reply;
    const unsigned retries = IsUnresolved(code) && !transfer.lane->was_reached
                                 ? std::min(1u, transfer.lane->limits.max_retries)
                                 : transfer.lane->limits.max_retries;
    if (reply.tries > retries || stopped() || begins_no_more_) return false;
    return reply.fault == HttpFault::kNone ? internal::MayChange(reply.status, reply.body) : MayChange(code);
  }

  // Pauses the lane if the service says that a limit is used up. RETURNS: whether it says so.
  static bool PauseIfUsedUp(const Transfer& transfer, bool refused, HttpTime now, Milliseconds asked_delay) {
    bool used_up = false;
    const auto check = [&](const ServiceLimit& limit, double needed) {
      if (!limit.lacks(refused ? std::max(needed, 1.0) : 1.0)) return;
      used_up = true;
      const Milliseconds pause = limit.reset.value_or(asked_delay);
      transfer.lane->pace.PauseUntil(now + std::min(pause, transfer.lane->limits.longest_delay));
    };
    check(transfer.asked.requests, 1);
    check(transfer.asked.tokens, transfer.request.tokens);
    return used_up;
  }

  // The texts are the same in each run, unlike the texts of libcurl, which contain times. They name the
  // service, but nothing else from a URL or a header.
  static std::string WhyOf(const Transfer& transfer, CURLcode code) {
    if (transfer.too_long)
      return fmt::format("it is longer than {} bytes", transfer.lane->limits.max_reply_bytes);
    if (transfer.reply.fault == HttpFault::kNoSocket) {
      return std::generic_category().message(transfer.socket_error);
    }
    // libcurl reports this for a header line of more than 100 KB, and for hardly anything else.
    if (code == CURLE_OUT_OF_MEMORY) return "its head is too long, or there was no memory for it";
    const UrlHost service = HostOf(transfer.request.url);
    if (code == CURLE_COULDNT_RESOLVE_HOST) return "cannot resolve host " + service.host;
    if (code == CURLE_URL_MALFORMAT) {
      return "the host or port of its URL is not valid: " + QuoteForMessage(service.HostAndPort());
    }
    if (code == CURLE_COULDNT_CONNECT && OsErrorOf(transfer) == ECONNREFUSED) {
      return "nothing listens at " + service.HostAndPort();
    }
    const bool says_more = transfer.reply.fault == HttpFault::kUntrusted && transfer.error[0] != '\0';
    return fmt::format("{} ({})", says_more ? transfer.error : Curl().easy_strerror(code),
                       service.HostAndPort());
  }

  static long OsErrorOf(const Transfer& transfer) {
    long error = 0;
    Curl().easy_getinfo(transfer.easy.get(), CURLINFO_OS_ERRNO, &error);
    return error;
  }

  bool stopped() const { return ending_ || (stop_ != nullptr && stop_->load()); }

  // Ends the requests that have not begun, and the requests in progress whose time is over.
  void EndWhatWaits(HttpTime now) {
    if (!stopped_at_) stopped_at_ = now;
    if (now - *stopped_at_ >= patience_) return EndAll(HttpFault::kStopped);
    EndQueues(HttpFault::kStopped);
  }

  void EndQueues(HttpFault fault) {
    for (auto& [lane, queue] : queues_) {
      for (const TransferPtr& transfer : queue.fresh) transfer->End(fault);
      for (const auto& [time, transfer] : queue.again) transfer->End(fault);
      queue = {};
    }
  }

  void EndAll(HttpFault fault) {
    for (auto& [easy, transfer] : std::exchange(under_way_, {})) {
      curl_.Remove(easy);
      transfer->easy.reset();
      transfer->lane->pace.EndOtherwise();
      transfer->End(fault);
    }
    EndQueues(fault);
    std::vector<TransferPtr> taken;
    {
      const std::lock_guard lock(mutex_);
      taken.swap(inbox_);
    }
    for (const TransferPtr& transfer : taken) transfer->End(fault);
  }

  const std::atomic<bool>* const stop_;
  const Milliseconds patience_;
  CurlLoop curl_;
  const std::string user_agent_ = fmt::format("leafscore/{}", Version());
  std::map<Lane*, Queue> queues_;
  std::map<CURL*, TransferPtr> under_way_;
  std::optional<HttpTime> stopped_at_;
  // Only for delays, which need not be reproducible and should differ between processes.
  SplitMix64 random_{static_cast<std::uint64_t>(HttpClock::now().time_since_epoch().count()), 0};

  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<TransferPtr> inbox_;
  std::atomic<bool> ending_ = false;
  std::atomic<bool> begins_no_more_ = false;
  std::thread thread_;  // last, as it uses the others
};

HttpClient::HttpClient(const std::atomic<bool>* stop, std::chrono::milliseconds patience)
    : loop_(std::make_unique<Loop>(stop, patience)) {}
HttpClient::~HttpClient() = default;

std::size_t HttpClient::AddLane(const LaneLimits& limits) { return loop_->AddLane(limits); }

void HttpClient::BeginNoMore() { loop_->BeginNoMore(); }

void HttpClient::Post(std::size_t lane, HttpRequest request, Done done) {
  loop_->Post(lane, std::move(request), std::move(done));
}

}  // namespace leafscore::internal
