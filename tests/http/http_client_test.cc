// The client against a service that is slow, breaks off, says no, and lies (tests/http/fake_service.py).
#include "engine/http/http_client.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "http/fake_service.h"

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kBody[] = R"({"model": "m", "messages": [{"role": "user", "content": "SCORE=87"}]})";

// Sets a variable of the environment for as long as it lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~ScopedVariable() { unsetenv(name_); }

 private:
  const char* name_;
};

class HttpClientTest : public ::testing::Test {
 protected:
  // Limits under which retries take no time to speak of.
  static LaneLimits Quick() {
    LaneLimits limits;
    limits.first_delay = milliseconds(2);
    limits.timeout = milliseconds(5000);
    return limits;
  }

  HttpReply Ask(const std::string& url, const LaneLimits& limits = Quick(), const std::string& body = kBody) {
    HttpClient client;
    std::promise<HttpReply> promise;
    client.Post(client.AddLane(limits), {.url = url, .headers = {"X-Mine: yes"}, .body = body},
                [&](HttpReply&& reply) {
                  promise.set_value(std::move(reply));
                  return 0;
                });
    return promise.get_future().get();
  }

  FakeService service_;
};

TEST_F(HttpClientTest, PostsAndTakesTheReply) {
  const HttpReply reply = Ask(service_.Url("ok"));
  EXPECT_EQ(reply.fault, HttpFault::kNone);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.tries, 1u);
  EXPECT_NE(reply.body.find("87"), std::string::npos) << reply.body;
  const rapidjson::Document stats = service_.Tell("stats");
  EXPECT_STREQ(stats["headers"]["x-mine"].GetString(), "yes");
  EXPECT_EQ(service_.Tell("bodies")[0].GetString(), std::string(kBody));
}

TEST_F(HttpClientTest, TriesAgainWhatMaySucceed) {
  for (const char* const steps :
       {"500,ok", "503,ok", "429,ok", "502,ok", "cut,ok", "cuthead,ok", "long,ok"}) {
    const HttpReply reply = Ask(service_.Url(steps));
    EXPECT_EQ(reply.fault, HttpFault::kNone) << steps << ": " << reply.why;
    EXPECT_EQ(reply.status, 200) << steps;
    EXPECT_EQ(reply.tries, 2u) << steps;
  }
}

TEST_F(HttpClientTest, TriesNothingElseAgain) {
  for (const auto& [steps, status] : {std::pair("400,ok", 400),
                                      {"401,ok", 401},
                                      {"404,ok", 404},
                                      {"quota,ok", 429},
                                      {"redirect,ok", 307}}) {
    const HttpReply reply = Ask(service_.Url(steps));
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(reply.tries, 1u) << steps;
  }
}

TEST_F(HttpClientTest, GivesUpAfterItsRetries) {
  LaneLimits limits = Quick();
  limits.max_retries = 2;
  EXPECT_EQ(Ask(service_.Url("500"), limits).status, 500);
  EXPECT_EQ(service_.Stat("requests"), 3);
  const HttpReply cut = Ask(service_.Url("cut"), limits);
  EXPECT_EQ(cut.fault, HttpFault::kBroken);
  EXPECT_FALSE(cut.why.empty());
  EXPECT_EQ(cut.tries, 3u);
  limits.max_retries = 0;
  EXPECT_EQ(Ask(service_.Url("503,ok"), limits).tries, 1u);
}

TEST_F(HttpClientTest, WaitsAsLongAsTheServiceAsks) {
  const auto begun = HttpClock::now();
  EXPECT_EQ(Ask(service_.Url("429+r0.4,ok")).status, 200);
  EXPECT_GE(HttpClock::now() - begun, milliseconds(400));
}

// Both are asked one at a time; the second goes while the first waits for its retry.
TEST_F(HttpClientTest, AsksOthersWhileOneWaitsForItsRetry) {
  for (const char* const steps : {"429+r0.3,ok", "429+left+r0.3,ok", "503,ok", "500,ok", "cut,ok"}) {
    HttpClient client;
    LaneLimits limits = Quick();
    limits.pace.max_concurrency = 1;
    limits.first_delay = milliseconds(500);
    const std::size_t lane = client.AddLane(limits);
    std::vector<std::string> ended;
    std::promise<void> both;
    for (const std::string& each : {std::string(steps), std::string("ok")}) {
      client.Post(lane, {.url = service_.Url(each), .headers = {}, .body = kBody}, [&, each](HttpReply&&) {
        ended.push_back(each);
        if (ended.size() == 2) both.set_value();
        return 0;
      });
    }
    both.get_future().wait();
    EXPECT_EQ(ended, (std::vector<std::string>{"ok", steps}));
    service_.Tell("reset");
  }
}

// As OpenRouter answers if the service behind it fails.
TEST_F(HttpClientTest, TakesTheStatusThatABodyNames) {
  const auto ask = [&](const std::string& steps, bool looks) {
    HttpClient client;
    std::promise<HttpReply> promise;
    HttpRequest request{.url = service_.Url(steps), .headers = {}, .body = kBody};
    if (looks) {
      request.status_of = [](std::string_view body) {
        const std::size_t code = body.find("\"code\": ");
        return code == std::string_view::npos ? 200 : std::stol(std::string(body.substr(code + 8)));
      };
    }
    client.Post(client.AddLane(Quick()), std::move(request), [&](HttpReply&& reply) {
      promise.set_value(std::move(reply));
      return 0;
    });
    return promise.get_future().get();
  };
  const HttpReply unseen = ask("error502,ok", false);
  EXPECT_EQ(unseen.status, 200);
  EXPECT_EQ(unseen.tries, 1u);
  service_.Tell("reset");
  const HttpReply seen = ask("error502,error429,ok", true);
  EXPECT_EQ(seen.status, 200);
  EXPECT_EQ(seen.tries, 3u);
  const HttpReply refused = ask("error401,ok", true);
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.tries, 1u);
  EXPECT_NE(refused.body.find("as asked"), std::string::npos);
  EXPECT_EQ(ask("500", true).status, 500);
}

TEST_F(HttpClientTest, SaysThatAHeadIsTooLong) {
  const HttpReply reply = Ask(service_.Url("bighead"));
  EXPECT_EQ(reply.fault, HttpFault::kBroken);
  EXPECT_NE(reply.why.find("head is too long"), std::string::npos) << reply.why;
}

// An error at once would lose the question of a service that only wants a longer pause.
TEST_F(HttpClientTest, TriesAgainAfterTheLongestDelayThoughTheServiceAsksForMore) {
  LaneLimits limits = Quick();
  limits.longest_delay = milliseconds(200);
  const auto begun = HttpClock::now();
  const HttpReply reply = Ask(service_.Url("429+r3600,503+r61,500+r0.201,ok"), limits);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.tries, 4u);
  EXPECT_GE(HttpClock::now() - begun, milliseconds(600));
  limits.max_retries = 1;
  const HttpReply given_up = Ask(service_.Url("429+r3600"), limits);
  EXPECT_EQ(given_up.status, 429);
  EXPECT_EQ(given_up.tries, 2u);
}

TEST_F(HttpClientTest, HonoursHeadersThatSayALimitIsUsedUp) {
  HttpClient client;
  LaneLimits limits = Quick();
  limits.pace.max_concurrency = 1;
  const std::size_t lane = client.AddLane(limits);
  std::vector<std::promise<void>> ends(2);
  const auto begun = HttpClock::now();
  for (std::promise<void>& end : ends) {
    client.Post(lane, {.url = service_.Url("limit"), .headers = {}, .body = kBody}, [&](HttpReply&&) {
      end.set_value();
      return 0;
    });
  }
  for (std::promise<void>& end : ends) end.get_future().wait();
  EXPECT_GE(HttpClock::now() - begun, milliseconds(300));
}

TEST_F(HttpClientTest, LimitsTimeAndSize) {
  LaneLimits limits = Quick();
  limits.max_retries = 0;
  limits.timeout = milliseconds(300);
  const HttpReply hung = Ask(service_.Url("hang"), limits);
  EXPECT_EQ(hung.fault, HttpFault::kTimedOut);
  EXPECT_EQ(hung.why, "Timeout was reached (127.0.0.1:" + service_.port() + ")");
  EXPECT_EQ(Ask(service_.Url("drip"), limits).fault, HttpFault::kTimedOut);
  EXPECT_EQ(Ask(service_.Url("hang,ok"), limits).fault, HttpFault::kTimedOut);
  limits.timeout = milliseconds(20'000);
  limits.max_retries = 3;
  const HttpReply huge = Ask(service_.Url("huge"), limits);
  EXPECT_EQ(huge.fault, HttpFault::kTooLong);
  EXPECT_EQ(huge.tries, 1u);
  limits.max_reply_bytes = 32 << 20;
  EXPECT_EQ(Ask(service_.Url("huge"), limits).fault, HttpFault::kNone);
  EXPECT_EQ(Ask(service_.Url("drip"), limits).fault, HttpFault::kNone);
}

TEST_F(HttpClientTest, TakesNoMoreThanTheLengthSays) {
  const HttpReply reply = Ask(service_.Url("short"));
  EXPECT_EQ(reply.fault, HttpFault::kNone);
  EXPECT_NE(reply.body.back(), '}');
}

TEST_F(HttpClientTest, FindsNobody) {
  LaneLimits limits = Quick();
  limits.max_retries = 1;
  const HttpReply reply = Ask("http://127.0.0.1:1/v1", limits);
  EXPECT_EQ(reply.fault, HttpFault::kUnreachable);
  EXPECT_EQ(reply.why, "nothing listens at 127.0.0.1:1");
  EXPECT_EQ(reply.tries, 2u);
}

TEST_F(HttpClientTest, TriesAHostThatCannotBeResolvedOnceMore) {
  LaneLimits limits = Quick();
  const HttpReply reply = Ask("https://user:secret@no-such-host.invalid/v1?key=secret", limits);
  EXPECT_EQ(reply.fault, HttpFault::kUnreachable);
  EXPECT_EQ(reply.why, "cannot resolve host no-such-host.invalid");
  EXPECT_EQ(reply.tries, 2u);
  limits.max_retries = 0;
  EXPECT_EQ(Ask("http://no-such-host.invalid/v1", limits).tries, 1u);
}

TEST_F(HttpClientTest, TriesNothingAgainThatIsNoUrl) {
  for (const char* const url :
       {"http://127.0.0.1:99999/v1", "http://127.0.0.1:x/v1", "http://a b/v1", "ftp://127.0.0.1/v1", ""}) {
    const HttpReply reply = Ask(url);
    EXPECT_EQ(reply.fault, HttpFault::kUnreachable) << url;
    EXPECT_EQ(reply.tries, 1u) << url;
  }
  EXPECT_EQ(Ask("http://127.0.0.1:99999/v1?key=secret").why,
            "the host or port of its URL is not valid: \"127.0.0.1:99999\"");
}

TEST_F(HttpClientTest, TrustsOnlyValidCertificates) {
  const FakeService service(FakeService::Scheme::kTls);
  const HttpReply refused = Ask(service.Url("ok"));
  EXPECT_EQ(refused.fault, HttpFault::kUntrusted) << refused.why;
  EXPECT_EQ(refused.tries, 1u);
  EXPECT_NE(refused.why.find("(127.0.0.1:" + service.port() + ")"), std::string::npos) << refused.why;
  const ScopedVariable trusted("SSL_CERT_FILE", std::string(LEAFSCORE_TEST_DATA) + "/http/self_signed.pem");
  EXPECT_EQ(Ask(service.Url("ok")).status, 200);
}

TEST_F(HttpClientTest, UsesTheProxyOfTheEnvironment) {
  const ScopedVariable proxy("http_proxy", "http://127.0.0.1:" + service_.port());
  EXPECT_EQ(Ask("http://judge.invalid/ok/v1/chat/completions").status, 200);
  const ScopedVariable none("no_proxy", "127.0.0.1");
  EXPECT_TRUE(service_.Tell("stats")["headers"]["proxied"].GetBool());
}

// Posts `count` bodies to one URL, and returns how many seconds they took and what became of them.
struct ManyReplies {
  double seconds;
  std::vector<HttpReply> replies;
};
ManyReplies AskMany(HttpClient& client, const std::string& url, const LaneLimits& limits, std::size_t count) {
  ManyReplies many{0, std::vector<HttpReply>(count)};
  const std::size_t lane = client.AddLane(limits);
  std::atomic<std::size_t> left = count;
  const auto begun = HttpClock::now();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string body = R"({"model": "m", "messages": [{"content": ")" + std::to_string(i) + R"("}]})";
    client.Post(lane, {.url = url, .headers = {}, .body = body}, [&many, &left, i](HttpReply&& reply) {
      many.replies[i] = std::move(reply);
      --left;
      left.notify_one();
      return 0;
    });
  }
  for (std::size_t now; (now = left) != 0;) left.wait(now);
  many.seconds = std::chrono::duration<double>(HttpClock::now() - begun).count();
  return many;
}

TEST_F(HttpClientTest, AsksNoMoreAtOnceThanItMay) {
  HttpClient client;
  LaneLimits limits = Quick();
  limits.pace.max_concurrency = 7;
  AskMany(client, service_.Url("20ms"), limits, 50);
  EXPECT_EQ(service_.Stat("most_at_once"), 7);
  EXPECT_LE(service_.Stat("connections"), 9);  // two are for these questions
}

TEST_F(HttpClientTest, AsksNoMoreAMinuteThanItMay) {
  HttpClient client;
  LaneLimits limits = Quick();
  limits.pace.requests_per_minute = 1200;  // 20 at once, then 20 a second
  EXPECT_GE(AskMany(client, service_.Url("ok"), limits, 30).seconds, 0.5);
}

TEST_F(HttpClientTest, AnswersEachOfManyOnceThoughSomeFail) {
  HttpClient client;
  LaneLimits limits = Quick();
  limits.pace.max_concurrency = 50;
  const ManyReplies many = AskMany(client, service_.Url("faults10"), limits, 1000);
  std::uint64_t tries = 0;
  for (const HttpReply& reply : many.replies) {
    EXPECT_EQ(reply.status, 200) << reply.why;
    tries += reply.tries;
  }
  EXPECT_GT(tries, 1000u);
  EXPECT_EQ(service_.Stat("requests"), static_cast<int>(tries));
  EXPECT_LE(service_.Stat("most_of_a_body"), 2);
}

TEST_F(HttpClientTest, StopsWithinItsPatience) {
  std::atomic<bool> stop = false;
  HttpClient client(&stop, milliseconds(300));
  LaneLimits limits = Quick();
  limits.pace.max_concurrency = 4;
  const std::size_t lane = client.AddLane(limits);
  std::atomic<int> stopped = 0;
  std::atomic<int> answered = 0;
  for (const char* const steps : {"hang", "hang", "250ms", "250ms", "ok", "ok"}) {
    client.Post(lane, {.url = service_.Url(steps), .headers = {}, .body = kBody}, [&](HttpReply&& reply) {
      ++(reply.fault == HttpFault::kStopped ? stopped : answered);
      return 0;
    });
  }
  std::this_thread::sleep_for(milliseconds(100));
  stop = true;
  const auto begun = HttpClock::now();
  while (stopped + answered < 6) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_LE(HttpClock::now() - begun, seconds(2));
  EXPECT_EQ(answered, 2);
  EXPECT_EQ(stopped, 4);
}

// One waits for its next try, some have ended, one is under way, and the others have not begun.
TEST_F(HttpClientTest, BeginsNoMoreAndEndsWhatIsUnderWay) {
  constexpr int kRequests = 200;
  HttpClient client;
  LaneLimits limits = Quick();
  limits.pace.max_concurrency = 1;
  limits.first_delay = milliseconds(50'000);
  std::atomic<int> stopped = 0;
  std::atomic<int> answered = 0;
  const auto post = [&](std::size_t lane, const char* steps) {
    client.Post(lane, {.url = service_.Url(steps), .headers = {}, .body = kBody}, [&](HttpReply&& reply) {
      ++(reply.fault == HttpFault::kStopped ? stopped : answered);
      return 0;
    });
  };
  post(client.AddLane(limits), "500");
  while (service_.Stat("answered") < 1) std::this_thread::sleep_for(milliseconds(1));
  const std::size_t lane = client.AddLane(limits);
  for (int i = 0; i < kRequests; ++i) post(lane, "50ms");
  while (service_.Stat("requests") < 3) std::this_thread::sleep_for(milliseconds(1));
  client.BeginNoMore();
  while (stopped + answered < kRequests + 1) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_GT(stopped, 1);
  EXPECT_EQ(answered + 1, service_.Stat("requests"));
}

TEST_F(HttpClientTest, EndsWithRequestsUnderWay) {
  int stopped = 0;
  {
    HttpClient client;
    const std::size_t lane = client.AddLane(Quick());
    for (int i = 0; i < 3; ++i) {
      client.Post(lane, {.url = service_.Url("hang"), .headers = {}, .body = kBody}, [&](HttpReply&& reply) {
        stopped += reply.fault == HttpFault::kStopped;
        return 0;
      });
    }
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_EQ(stopped, 3);
}

}  // namespace
}  // namespace leafscore::internal
