// A service that speaks as much of OpenAI's chat completions as a benchmark needs, answers each request a
// given time after it came, and takes so little time itself that the client is what is measured. One thread,
// HTTP/1.1 alone.
//
// usage: delayed_service MILLISECONDS [REFUSED [FAULTY]]: of 100 requests, REFUSED are answered with status
// 429, and FAULTY with 429, 500 or 503 or by closing the connection, in turn. It prints its port, and ends
// with its standard input, when it prints how many requests came, how many bodies were different, how many
// were under way at most, and its processor time in seconds.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::exit(1);
}

std::string ReplyOf(const std::string& status, const std::string& body) {
  return "HTTP/1.1 " + status +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

std::string Failure(const std::string& status) {
  return ReplyOf(status, R"({"error":{"message":"as was asked for"}})");
}

std::string MakeReply() {
  const std::string body =
      R"({"id":"1","object":"chat.completion","created":0,"model":"delayed","choices":[{"index":0,"message":)"
      R"({"role":"assistant","content":"{\"justification\": \"They mean the same.\", \"score\": 87}"},)"
      R"("finish_reason":"stop"}],"usage":{"prompt_tokens":300,"completion_tokens":20,"total_tokens":320}})";
  return ReplyOf("200 OK", body);
}

// Returns the bytes of the request that the text begins with, and where its body begins; 0 while it is not
// whole.
struct RequestSize {
  std::size_t bytes = 0;
  std::size_t body = 0;
};
RequestSize WholeRequest(std::string_view text) {
  const std::size_t end = text.find("\r\n\r\n");
  constexpr std::string_view kLength = "Content-Length: ";
  const std::size_t length = text.find(kLength);
  if (end == std::string_view::npos || length > end) return {};
  std::size_t bytes = 0;
  std::from_chars(text.data() + length + kLength.size(), text.data() + end, bytes);
  return text.size() >= end + 4 + bytes ? RequestSize{end + 4 + bytes, end + 4} : RequestSize{};
}

class DelayedService {
 public:
  DelayedService(Clock::duration delay, std::uint64_t refused, std::uint64_t faulty)
      : delay_(delay), refused_(refused), faulty_(faulty) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener_, any, size) != 0 || listen(listener_, 2048) != 0 ||
        getsockname(listener_, any, &size) != 0) {
      Die("listen");
    }
    std::printf("%d\n", ntohs(address.sin_port));
    std::fflush(stdout);
    for (const int descriptor : {listener_, timer_, STDIN_FILENO}) Watch(descriptor);
  }

  void Serve() {
    std::array<epoll_event, 256> events;
    while (true) {
      const int count = epoll_wait(epoll_, events.data(), events.size(), -1);
      for (int e = 0; e < count; ++e) {
        const int descriptor = events[static_cast<std::size_t>(e)].data.fd;
        if (descriptor == STDIN_FILENO) return Tell();
        if (descriptor == listener_) {
          Accept();
        } else if (descriptor == timer_) {
          std::uint64_t expirations = 0;
          if (read(timer_, &expirations, sizeof expirations) < 0) Die("timer");
        } else {
          Read(descriptor);
        }
      }
      AnswerWhatIsDue();
    }
  }

 private:
  struct Due {
    Clock::time_point time;
    int connection;
  };

  void Watch(int descriptor) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) != 0) Die("epoll_ctl");
  }

  void Accept() {
    for (int connection = 0;
         (connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
      const int on = 1;
      setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      Watch(connection);
    }
  }

  void Read(int connection) {
    std::array<char, 65536> bytes;
    const ssize_t count = recv(connection, bytes.data(), bytes.size(), 0);
    std::string& text = texts_[connection];
    if (count <= 0) {
      std::erase_if(due_, [&](const Due& due) { return due.connection == connection; });
      texts_.erase(connection);
      close(connection);
      return;
    }
    text.append(bytes.data(), static_cast<std::size_t>(count));
    const RequestSize request = WholeRequest(text);
    if (request.bytes == 0) return;
    ++requests_;
    bodies_.insert(std::hash<std::string_view>()(
        std::string_view(text).substr(request.body, request.bytes - request.body)));
    text.erase(0, request.bytes);
    due_.push_back({Clock::now() + delay_, connection});
    most_at_once_ = std::max(most_at_once_, due_.size());
    if (due_.size() == 1) SetTimer();
  }

  void AnswerWhatIsDue() {
    if (due_.empty() || due_.front().time > Clock::now()) return;
    const Clock::time_point now = Clock::now();
    for (; !due_.empty() && due_.front().time <= now; due_.pop_front()) {
      const int connection = due_.front().connection;
      const std::string& reply = NextReply();
      if (reply.empty()) {
        texts_.erase(connection);
        close(connection);
      } else if (send(connection, reply.data(), reply.size(), MSG_NOSIGNAL) < 0) {
        std::perror("send");
      }
    }
    SetTimer();
  }

  // Returns the next reply; empty for a connection that breaks. Failures are spread as by chance.
  const std::string& NextReply() {
    const std::uint64_t number = answered_++;
    const std::uint64_t chance = (number * 0x9E3779B97F4A7C15 >> 32) % 100;
    if (chance < refused_) return failures_[0];
    if (chance < refused_ + faulty_) return failures_[faults_++ % failures_.size()];
    return reply_;
  }

  void SetTimer() {
    if (due_.empty()) return;
    const auto left = std::max(due_.front().time - Clock::now(), Clock::duration(1));
    const auto nanoseconds = std::chrono::nanoseconds(left).count();
    const itimerspec until{
        .it_interval = {},
        .it_value = {.tv_sec = nanoseconds / 1'000'000'000, .tv_nsec = nanoseconds % 1'000'000'000}};
    if (timerfd_settime(timer_, 0, &until, nullptr) != 0) Die("timerfd_settime");
  }

  void Tell() const {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    std::printf("%llu %zu %zu %.6f\n", static_cast<unsigned long long>(requests_), bodies_.size(),
                most_at_once_, seconds(usage.ru_utime) + seconds(usage.ru_stime));
  }

  const Clock::duration delay_;
  const std::uint64_t refused_;  // of 100
  const std::uint64_t faulty_;
  const std::string reply_ = MakeReply();
  const std::array<std::string, 4> failures_ = {Failure("429 Too Many Requests"), Failure("500 Error"),
                                                Failure("503 Busy"), ""};
  const int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  const int timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  int listener_ = -1;
  std::unordered_map<int, std::string> texts_;  // by connection: what came and was not answered
  std::deque<Due> due_;                         // as all wait for as long, in the order in which they came
  std::unordered_set<std::size_t> bodies_;      // their hashes
  std::uint64_t requests_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t faults_ = 0;
  std::size_t most_at_once_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fputs("usage: delayed_service MILLISECONDS [REFUSED [FAULTY]]\n", stderr);
    return 2;
  }
  const auto number = [&](int place) { return place < argc ? std::strtoul(argv[place], nullptr, 10) : 0; };
  DelayedService(std::chrono::milliseconds(number(1)), number(2), number(3)).Serve();
}
