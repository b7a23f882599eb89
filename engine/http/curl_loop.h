// engine/http/curl_loop.h: drives transfers of libcurl, each when its connection is ready. It reports the end
// of a transfer before it looks at the next connection, so the caller can begin the next request while other
// answers are still to be read. Then requests whose answers arrived together do not stay in step.
// THREADS: one at a time, except Wake.
#ifndef LEAFSCORE_ENGINE_HTTP_CURL_LOOP_H_
#define LEAFSCORE_ENGINE_HTTP_CURL_LOOP_H_

#include <curl/curl.h>

#include <functional>
#include <memory>

#include "engine/base/file_descriptor.h"
#include "engine/http/lane_pace.h"

namespace leafscore::internal {

class CurlLoop {
 public:
  // Called for each transfer that ended and was removed; it may add and remove others.
  using Ended = std::function<void(CURL*, CURLcode)>;

  // ERRORS: std::bad_alloc, std::system_error.
  CurlLoop();
  ~CurlLoop();  // REQUIRES: there is no transfer
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  // ERRORS: std::bad_alloc; the transfer is then not added.
  void Add(CURL* transfer);
  void Remove(CURL* transfer);

  // Waits until a transfer can continue, `until` is reached, or Wake is called; then continues all that can.
  // ERRORS: as `ended`; call again.
  void Run(HttpTime until, const Ended& ended);

  // Ends a wait of Run, or the next one. Any thread may call.
  void Wake();

 private:
  struct MultiDeleter {
    void operator()(CURLM* multi) const;
  };

  static int WatchSocket(CURL* transfer, curl_socket_t socket, int what, void* of_loop, void* of_socket);
  static int SetTimer(CURLM* multi, long milliseconds, void* of_loop);
  void RunTimer(const Ended& ended);
  void GoOn(curl_socket_t socket, int events, const Ended& ended);

  FileDescriptor sockets_;  // epoll
  FileDescriptor wake_;     // eventfd
  HttpTime timer_ = HttpTime::max();
  std::unique_ptr<CURLM, MultiDeleter> multi_;  // last: it calls WatchSocket while it is destroyed
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_CURL_LOOP_H_
