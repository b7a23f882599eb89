// engine/http/http_client.h: posts to services over HTTP, many at a time, on one thread of its own.
//
// A request waits in its lane, one for each service, until the pace of the lane lets it go (lane_pace.h).
// What may succeed later is tried again, behind a delay or when the service says; every other end is the
// caller's. A service is never believed: its certificate must be valid, replies are limited in size and time,
// and a redirect is an end like any other, so that nobody is sent credentials that were meant for another.
// Proxies are those of the environment (https_proxy, no_proxy), certificates the system's or SSL_CERT_FILE.
// THREADS: any number may call; what a request ends with is handed over on the client's thread.
#ifndef LEAFSCORE_ENGINE_HTTP_HTTP_CLIENT_H_
#define LEAFSCORE_ENGINE_HTTP_HTTP_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/http/lane_pace.h"

namespace leafscore::internal {

struct LaneLimits {
  PaceLimits pace = {};
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{60'000};  // of a try, from beginning to end
  unsigned max_retries = 5;
  std::chrono::milliseconds first_delay{500};  // before the first retry, at most
  std::chrono::milliseconds longest_delay{60'000};
  std::size_t max_reply_bytes = 16 << 20;
};

struct HttpRequest {
  std::string url = {};
  std::vector<std::string> headers = {};  // "Name: value"; told to nobody but the service
  std::string body = {};
  double tokens = 0;  // that it will take, for the limit of tokens a minute
};

// Why there is no whole reply.
enum class HttpFault : std::uint8_t {
  kNone,
  kTimedOut,
  kUnreachable,  // or the connection broke
  kUntrusted,    // the certificate is not valid
  kTooLong,      // LaneLimits::max_reply_bytes
  kStopped,      // the client was to stop
  kNoMemory,     // here
  kNoSocket,     // here, as `why` says
};

// What a request came to, of its last try.
struct HttpReply {
  HttpFault fault = HttpFault::kNone;
  std::string why = {};  // a fault, for people
  long status = 0;       // without a fault
  std::string body = {};
  unsigned tries = 0;
  std::chrono::microseconds latency{0};
};

class HttpClient {
 public:
  // Called once for each request. It must not throw; what it returns is how many tokens the request took more
  // than it said (or fewer).
  using Done = std::function<double(HttpReply&&)>;

  // `stop`, which may be null, becomes true when no request is to begin any more; those under way may end
  // within `patience`. ERRORS: std::system_error when there is no thread for it.
  explicit HttpClient(const std::atomic<bool>* stop = nullptr,
                      std::chrono::milliseconds patience = std::chrono::milliseconds(1000));
  ~HttpClient();  // stops it likewise
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Adds a lane. RETURNS: its number.
  std::size_t AddLane(const LaneLimits& limits);

  void Post(std::size_t lane, HttpRequest request, Done done);

  // Begins no request from now on: those that wait end as stopped, and those under way as they end, without
  // another try.
  void BeginNoMore();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_HTTP_CLIENT_H_
