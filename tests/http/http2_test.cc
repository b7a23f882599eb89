// The client over HTTP/2 and TLS, spoken by a server that others wrote: nghttpx (Debian's nghttp2-proxy) in
// front of the service of the tests. Skipped where it is missing.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "engine/http/http_client.h"
#include "engine/process/child_process.h"
#include "http/fake_service.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;

constexpr char kProxy[] = "/usr/sbin/nghttpx";

// Returns a port that nobody listens at now.
int FreePort() {
  const FileDescriptor any(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const general = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(any.get(), general, size), 0);
  EXPECT_EQ(getsockname(any.get(), general, &size), 0);
  return ntohs(address.sin_port);
}

class Http2Test : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kProxy)) GTEST_SKIP() << kProxy << " is missing (Debian's nghttp2-proxy)";
    const std::string data = std::string(LEAFSCORE_TEST_DATA) + "/http/self_signed";
    setenv("SSL_CERT_FILE", (data + ".pem").c_str(), 1);
    const std::string command =
        std::string(kProxy) + " --conf=/dev/null --frontend=127.0.0.1," + std::to_string(port_) +
        " --backend=127.0.0.1," + service_.port() +
        " --workers=1 --log-level=ERROR --accesslog-format='$alpn $remote_port $status'" +
        " --accesslog-file=" + log_ + " " + data + ".key " + data + ".pem";
    proxy_ = std::make_unique<ChildProcess>(
        ProgramSpec{FindProgram("sh", "/"), {"sh", "-c", command + " >&2 & echo; wait"}, "/", 1ull << 36});
    ASSERT_EQ(proxy_->ExchangeLine("", {std::chrono::seconds(30), 100}), TurnEnd::kLine);
    limits_.max_retries = 0;
    HttpReply reply = Ask({"ok"})[0];
    for (int tries = 0; tries < 600 && reply.status != 200; ++tries) {  // while the proxy begins
      std::this_thread::sleep_for(milliseconds(50));
      reply = Ask({"ok"})[0];
    }
    ASSERT_EQ(reply.status, 200) << reply.why << '\n' << proxy_->error_tail();
    limits_.max_retries = 5;
  }
  void TearDown() override { unsetenv("SSL_CERT_FILE"); }

  // Asks in these ways at the same time.
  std::vector<HttpReply> Ask(const std::vector<std::string>& steps) {
    std::vector<HttpReply> replies(steps.size());
    std::atomic<std::size_t> left = steps.size();
    HttpClient client;
    const std::size_t lane = client.AddLane(limits_);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string url =
          "https://127.0.0.1:" + std::to_string(port_) + "/" + steps[i] + "/v1/chat/completions";
      const std::string body = R"({"model": "m", "messages": [{"content": ")" + std::to_string(i) + R"("}]})";
      client.Post(lane, {.url = url, .headers = {}, .body = body}, [&replies, &left, i](HttpReply&& reply) {
        replies[i] = std::move(reply);
        --left;
        left.notify_one();
        return 0;
      });
    }
    for (std::size_t now; (now = left) != 0;) left.wait(now);
    return replies;
  }

  TempDir folder_;
  const std::string log_ = folder_ / "access.log";
  FakeService service_;
  const int port_ = FreePort();
  std::unique_ptr<ChildProcess> proxy_;
  LaneLimits limits_ = {.pace = {.max_concurrency = 100}, .first_delay = milliseconds(20)};
};

TEST_F(Http2Test, AsksManyOverOneConnection) {
  for (const HttpReply& reply : Ask(std::vector<std::string>(500, "20ms"))) {
    EXPECT_EQ(reply.status, 200) << reply.why;
    EXPECT_EQ(reply.tries, 1u);
  }
  proxy_.reset();
  std::istringstream log(ReadFile(log_));
  std::set<std::string> ports;
  int lines = 0;
  for (std::string protocol, port, status; log >> protocol >> port >> status; ++lines) {
    EXPECT_EQ(protocol, "h2");
    ports.insert(port);
  }
  EXPECT_EQ(lines, 501);
  EXPECT_EQ(ports.size(), 2u);  // one is of the question before
}

TEST_F(Http2Test, LetsWhatFailsOnAConnectionHarmNothingElseThere) {
  limits_.timeout = milliseconds(1500);
  limits_.max_retries = 1;
  limits_.max_reply_bytes = 1 << 20;
  const std::vector<HttpReply> replies =
      Ask({"ok", "hang", "500,ok", "cut,ok", "huge", "redirect", "30ms", "429+r0.1,ok", "ok"});
  for (const std::size_t fine : {0, 2, 3, 6, 7, 8}) {
    EXPECT_EQ(replies[fine].status, 200) << fine << ": " << replies[fine].why;
  }
  EXPECT_EQ(replies[1].fault, HttpFault::kTimedOut);
  EXPECT_EQ(replies[4].fault, HttpFault::kTooLong);
  EXPECT_EQ(replies[5].status, 307);
}

TEST_F(Http2Test, EndsWhenTheConnectionIsLostForAll) {
  limits_.max_retries = 0;
  std::vector<HttpReply> replies;
  std::thread asks([&] { replies = Ask(std::vector<std::string>(10, "hang")); });
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (service_.Stat("requests") < 11 && std::chrono::steady_clock::now() < latest) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  proxy_.reset();
  asks.join();
  for (const HttpReply& reply : replies) EXPECT_EQ(reply.fault, HttpFault::kBroken) << reply.why;
}

}  // namespace
}  // namespace leafscore::internal
