// engine/http/url_host.h: names the service of a URL in messages. Pure functions; any thread may call.
#ifndef LEAFSCORE_ENGINE_HTTP_URL_HOST_H_
#define LEAFSCORE_ENGINE_HTTP_URL_HOST_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

struct UrlHost {
  std::string host = {};  // as in the URL, without a user or password, which must not be shown
  std::string port = {};  // the default of the scheme if the URL has no port

  std::string HostAndPort() const { return host + ':' + port; }
};

// Returns the host and port of any text that is meant as a URL; both are empty if it has no "://".
UrlHost HostOf(std::string_view url);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_URL_HOST_H_
