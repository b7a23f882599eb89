#include "engine/http/curl_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <system_error>

#include "engine/http/curl_functions.h"

namespace leafscore::internal {
namespace {

// Returns an owner of a new descriptor, or throws if there is none.
FileDescriptor Opened(int descriptor) {
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "no descriptor for requests");
  return FileDescriptor(descriptor);
}

int Poll(int descriptor, int how, std::uint32_t events, int socket) {
  epoll_event event{};
  event.events = events;
  event.data.fd = socket;
  return epoll_ctl(descriptor, how, socket, &event);
}

}  // namespace

void CurlLoop::MultiDeleter::operator()(CURLM* multi) const { Curl().multi_cleanup(multi); }

CurlLoop::CurlLoop()
    : sockets_(Opened(epoll_create1(EPOLL_CLOEXEC))),
      wake_(Opened(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      multi_(Curl().multi_init()) {
  if (!multi_) throw std::bad_alloc();
  if (Poll(sockets_.get(), EPOLL_CTL_ADD, EPOLLIN, wake_.get()) != 0) Opened(-1);
  Curl().multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &CurlLoop::WatchSocket);
  Curl().multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  Curl().multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &CurlLoop::SetTimer);
  Curl().multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
}

CurlLoop::~CurlLoop() = default;

// libcurl reports every change. It could do nothing about an error of epoll, so errors are ignored: a socket
// that cannot be watched ends by its time-out.
int CurlLoop::WatchSocket(CURL* /*transfer*/, curl_socket_t socket, int what, void* of_loop,
                          void* /*of_socket*/) {
  const int sockets = static_cast<CurlLoop*>(of_loop)->sockets_.get();
  if (what == CURL_POLL_REMOVE) {
    Poll(sockets, EPOLL_CTL_DEL, 0, socket);
    return 0;
  }
  const std::uint32_t events = ((what & CURL_POLL_IN) != 0 ? std::uint32_t{EPOLLIN} : 0) |
                               ((what & CURL_POLL_OUT) != 0 ? std::uint32_t{EPOLLOUT} : 0);
  if (Poll(sockets, EPOLL_CTL_MOD, events, socket) != 0) Poll(sockets, EPOLL_CTL_ADD, events, socket);
  return 0;
}

int CurlLoop::SetTimer(CURLM* /*multi*/, long milliseconds, void* of_loop) {
  static_cast<CurlLoop*>(of_loop)->timer_ =
      milliseconds < 0 ? HttpTime::max() : HttpClock::now() + std::chrono::milliseconds(milliseconds);
  return 0;
}

void CurlLoop::Add(CURL* transfer) {
  if (Curl().multi_add_handle(multi_.get(), transfer) != CURLM_OK) throw std::bad_alloc();
}

void CurlLoop::Remove(CURL* transfer) { Curl().multi_remove_handle(multi_.get(), transfer); }

void CurlLoop::Wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);  // it may already be awake
}

void CurlLoop::Run(HttpTime until, const Ended& ended) {
  using std::chrono::milliseconds;
  const HttpTime now = HttpClock::now();
  const HttpTime wake_at = std::max(std::min(until, timer_), now);
  const auto sleep = std::chrono::ceil<milliseconds>(wake_at - now);
  std::array<epoll_event, 64> events;
  const int count = epoll_wait(sockets_.get(), events.data(), static_cast<int>(events.size()),
                               static_cast<int>(sleep.count()));
  for (int e = 0; e < count; ++e) {
    const epoll_event& event = events[static_cast<std::size_t>(e)];
    if (event.data.fd == wake_.get()) {
      std::uint64_t calls = 0;
      [[maybe_unused]] const ssize_t taken = read(wake_.get(), &calls, sizeof calls);
      continue;
    }
    const int what = ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                     ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                     ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);
    GoOn(event.data.fd, what, ended);
    RunTimer(ended);
  }
  RunTimer(ended);
}

// Each added transfer sets a timer that is due at once. The transfer starts when the timer runs.
void CurlLoop::RunTimer(const Ended& ended) {
  while (timer_ <= HttpClock::now()) {
    timer_ = HttpTime::max();
    GoOn(CURL_SOCKET_TIMEOUT, 0, ended);
  }
}

void CurlLoop::GoOn(curl_socket_t socket, int events, const Ended& ended) {
  int running = 0;
  Curl().multi_socket_action(multi_.get(), socket, events, &running);
  int left = 0;
  while (const CURLMsg* const message = Curl().multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;  // the message dies with its transfer
    CURL* const transfer = message->easy_handle;
    Remove(transfer);
    ended(transfer, code);
  }
}

}  // namespace leafscore::internal
