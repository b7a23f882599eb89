// engine/http/http_client.h: posts requests to services over HTTP, many at a time, on one thread of its own.
//
// A request waits in the lane of its service until the pace of the lane lets it go (lane_pace.h). A request
// that may succeed later is tried again, after a delay or when the service says, and others go on meanwhile;
// every other result goes to the caller. Services are not trusted: the certificate must be valid, replies are
// limited in size and time, and a redirect is a result like any other, so that credentials never go to
// another host. Proxies come from the environment (https_proxy, no_proxy), certificates from the system or
// SSL_CERT_FILE. THREADS: any number may call; results are delivered on the client's thread.
#ifndef LEAFSCORE_ENGINE_HTTP_HTTP_CLIENT_H_
#define LEAFSCORE_ENGINE_HTTP_HTTP_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/http/lane_pace.h"

namespace leafscore::internal {

struct LaneLimits {
  PaceLimits pace = {};
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{60'000};  // for one try, from beginning to end
  unsigned max_retries = 5;
  std::chrono::milliseconds first_delay{500};  // at most this long before the first retry
  std::chrono::milliseconds longest_delay{60'000};
  std::size_t max_reply_bytes = 16 << 20;
};

struct HttpRequest {
  std::string url = {};
  std::vector<std::string> headers = {};  // "Name: value"; sent only to the service, never shown
  std::string body = {};
  std::string content_type = "application/json";
  bool is_get = false;  // a GET, without a body
  bool only_once =
      false;          // never sent twice in one try (libcurl resends if a kept connection was just closed)
  double tokens = 0;  // estimate, for the limit of tokens a minute
  // If set, returns the status that the body of a reply with status 200 names, or 200. The reply then counts
  // as one with that status. It is called on the client's thread and must not throw.
  std::function<long(std::string_view body)> status_of = {};
};

// Why there is no whole reply.
enum class HttpFault : std::uint8_t {
  kNone,
  kTimedOut,
  kUnreachable,  // the host does not resolve, nobody speaks HTTP or TLS there, or the URL is invalid
  kBroken,       // the connection was lost
  kUntrusted,    // the certificate is not valid
  kTooLong,      // over LaneLimits::max_reply_bytes
  kStopped,      // the client was stopped
  kNoMemory,     // on this machine
  kNoSocket,     // on this machine, as `why` says
};

// The result of a request's last try.
struct HttpReply {
  HttpFault fault = HttpFault::kNone;
  std::string why = {};  // describes the fault, for people
  long status = 0;       // set if there is no fault; if HttpRequest::status_of was called, what it returned
  std::string body = {};
  unsigned tries = 0;
  std::chrono::microseconds latency{0};
};

class HttpClient {
 public:
  // Called once for each request. It must not throw. It returns how many tokens more than its estimate the
  // request used; the number is negative if there were fewer.
  using Done = std::function<double(HttpReply&&)>;

  // Once *stop is true, no request begins any more, and requests in progress may finish within `patience`.
  // `stop` may be null. ERRORS: std::system_error if there is no thread for it.
  explicit HttpClient(const std::atomic<bool>* stop = nullptr,
                      std::chrono::milliseconds patience = std::chrono::milliseconds(1000));
  ~HttpClient();  // stops it as *stop does
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Adds a lane. RETURNS: its number.
  std::size_t AddLane(const LaneLimits& limits);

  void Post(std::size_t lane, HttpRequest request, Done done);

  // Begins no request from now on: waiting requests end as stopped, and requests in progress get no retry.
  void BeginNoMore();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_HTTP_CLIENT_H_
