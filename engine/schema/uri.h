// engine/schema/uri.h: URIs (RFC 3986) and JSON Pointers in their fragments (RFC 6901). Stateless.
#ifndef LEAFSCORE_ENGINE_SCHEMA_URI_H_
#define LEAFSCORE_ENGINE_SCHEMA_URI_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// The parts of a URI reference (RFC 3986, appendix B), as views into it. A part that is not there has no
// value; there is always a path.
struct UriParts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};
UriParts SplitUri(std::string_view uri);

// RETURNS: the reference, resolved against `base` (RFC 3986, 5.2.2), without its fragment.
std::string ResolveUri(std::string_view base, std::string_view reference);

// Returns whether a text is a URI with a scheme, by the grammar of RFC 3986.
bool IsUri(std::string_view text);

// Replaces %XX with the byte that it stands for; other text stays.
std::string PercentDecoded(std::string_view text);

// RETURNS: the steps of a JSON Pointer; nullopt if it does not begin with a slash. An empty pointer has no
// steps.
std::optional<std::vector<std::string>> StepsOfPointer(std::string_view pointer);

// Appends a slash and a step of a JSON Pointer.
void AppendPointerStep(std::string& pointer, std::string_view step);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_URI_H_
