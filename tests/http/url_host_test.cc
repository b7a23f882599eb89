// What messages call the service of a URL.
#include "engine/http/url_host.h"

#include <gtest/gtest.h>

namespace leafscore::internal {
namespace {

TEST(UrlHostTest, FindsHostAndPort) {
  EXPECT_EQ(HostOf("https://api.example.com/v1/chat").HostAndPort(), "api.example.com:443");
  EXPECT_EQ(HostOf("http://localhost").HostAndPort(), "localhost:80");
  EXPECT_EQ(HostOf("http://localhost:8000/v1?a=b:9").HostAndPort(), "localhost:8000");
  EXPECT_EQ(HostOf("http://[::1]:8080/v1").HostAndPort(), "[::1]:8080");
  EXPECT_EQ(HostOf("https://[::1]/v1").HostAndPort(), "[::1]:443");
}

TEST(UrlHostTest, LeavesOutUserAndPassword) {
  EXPECT_EQ(HostOf("https://user:secret@example.com/v1").HostAndPort(), "example.com:443");
  EXPECT_EQ(HostOf("https://user:p@ss@example.com:1/a@b").HostAndPort(), "example.com:1");
}

TEST(UrlHostTest, TakesTextsThatAreNoUrls) {
  EXPECT_EQ(HostOf("").HostAndPort(), ":");
  EXPECT_EQ(HostOf("example.com/v1").host, "");
  EXPECT_EQ(HostOf("http://a b:99999/").HostAndPort(), "a b:99999");
  EXPECT_EQ(HostOf("http://:/").HostAndPort(), ":80");
}

}  // namespace
}  // namespace leafscore::internal
