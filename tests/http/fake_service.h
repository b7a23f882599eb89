// tests/http/fake_service.h: starts tests/http/fake_service.py, which documents its paths, and asks it which
// requests it received.
#ifndef LEAFSCORE_TESTS_HTTP_FAKE_SERVICE_H_
#define LEAFSCORE_TESTS_HTTP_FAKE_SERVICE_H_

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <chrono>
#include <future>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/http/http_client.h"
#include "engine/process/child_process.h"

namespace leafscore::internal {

class FakeService {
 public:
  enum class Scheme { kPlain, kTls };

  explicit FakeService(Scheme scheme = Scheme::kPlain)
      : scheme_(scheme == Scheme::kPlain ? "http" : "https"), process_(Program(scheme)) {
    const TurnEnd end = process_.ExchangeLine("", {std::chrono::seconds(30), 100});
    EXPECT_EQ(end, TurnEnd::kLine) << "fake_service.py does not start: " << process_.error_tail();
    port_ = process_.output();
  }

  const std::string& port() const { return port_; }
  // The URL of all paths that take these steps.
  std::string Base(std::string_view steps) const {
    return scheme_ + "://127.0.0.1:" + port_ + "/" + std::string(steps) + "/v1";
  }
  std::string Url(std::string_view steps) const { return Base(steps) + "/chat/completions"; }

  // Returns its reply to /stats, /bodies and /reset.
  rapidjson::Document Tell(std::string_view what) const {
    HttpClient client;
    std::promise<std::string> body;
    client.Post(client.AddLane({}), {.url = "http://127.0.0.1:" + port_ + "/" + std::string(what)},
                [&](HttpReply&& reply) {
                  body.set_value(std::move(reply.body));
                  return 0;
                });
    rapidjson::Document told;
    told.Parse(body.get_future().get().c_str());
    EXPECT_FALSE(told.HasParseError());
    return told;
  }
  int Stat(const char* name) const { return Tell("stats")[name].GetInt(); }

 private:
  static ProgramSpec Program(Scheme scheme) {
    const std::string folder = LEAFSCORE_TEST_DATA;
    std::vector<std::string> arguments = {"python3", folder + "/../http/fake_service.py"};
    if (scheme == Scheme::kTls) {
      arguments.push_back(folder + "/http/self_signed.pem");
      arguments.push_back(folder + "/http/self_signed.key");
    }
    return {FindProgram("python3", "/"), std::move(arguments), "/", 1ull << 36};
  }

  std::string scheme_;
  ChildProcess process_;
  std::string port_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_HTTP_FAKE_SERVICE_H_
