#include "engine/http/url_host.h"

#include <cstddef>

namespace leafscore::internal {

UrlHost HostOf(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return {};
  const std::string_view default_port = url.starts_with("https:") ? "443" : "80";
  url.remove_prefix(scheme_end + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  url = url.substr(url.rfind('@') + 1);
  const std::size_t colon = url.rfind(':');
  const bool has_port = colon != std::string_view::npos && url.find(']', colon) == std::string_view::npos;
  const std::string_view port = has_port ? url.substr(colon + 1) : std::string_view();
  return {std::string(url.substr(0, has_port ? colon : url.size())),
          std::string(port.empty() ? default_port : port)};
}

}  // namespace leafscore::internal
