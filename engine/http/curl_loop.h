// engine/http/curl_loop.h: lets transfers of libcurl go on, each when its connection has something for it,
// and tells of each end before the next connection is looked at: what begins then is on its way while the
// others are still read, so that the answers to many requests that came together do not stay together.
// THREADS: one at a time, but for Wake.
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

  // ERRORS: std::bad_alloc, with the transfer not added.
  void Add(CURL* transfer);
  void Remove(CURL* transfer);

  // Waits until something can go on, the time has come, or somebody calls Wake; then lets go on what can.
  // ERRORS: those of `ended`; call again.
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

  FileDescriptor sockets_;  // of epoll
  FileDescriptor wake_;     // of eventfd
  HttpTime timer_ = HttpTime::max();
  std::unique_ptr<CURLM, MultiDeleter> multi_;  // last: it calls WatchSocket while it ends
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_CURL_LOOP_H_
