#include "engine/schema/uri.h"

#include <algorithm>

#include "engine/base/utf8.h"
#include "engine/schema/formats.h"

namespace leafscore::internal {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool IsEscape(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == '%' && HexDigit(text[at + 1]) >= 0 &&
         HexDigit(text[at + 2]) >= 0;
}

bool IsScheme(std::string_view text) {
  return !text.empty() && IsLetter(text[0]) && std::ranges::all_of(text, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '+' || c == '-' || c == '.';
  });
}

// Returns whether a text has only unreserved characters, escapes, sub-delimiters and characters of `others`.
bool HasOnly(std::string_view text, std::string_view others) {
  constexpr std::string_view kAlways = "-._~!$&'()*+,;=";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsEscape(text, i)) {
      i += 2;
    } else if (!IsLetter(c) && !IsDigit(c) && kAlways.find(c) == kAlways.npos &&
               others.find(c) == others.npos) {
      return false;
    }
  }
  return true;
}

bool IsAuthority(std::string_view text) {
  if (const std::size_t at = text.rfind('@'); at != text.npos) {
    if (!HasOnly(text.substr(0, at), ":")) return false;
    text.remove_prefix(at + 1);
  }
  std::string_view host = text;
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos || !IsFormat(StringFormat::kIpv6, text.substr(1, end - 1))) return false;
    host = {};
    port = text.substr(end + 1);
  } else if (const std::size_t colon = text.find(':'); colon != text.npos) {
    host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (!port.empty() && port[0] != ':') return false;
  return HasOnly(host, "") && std::ranges::all_of(port.substr(port.empty() ? 0 : 1), IsDigit);
}

// RFC 3986, 5.2.4.
std::string WithoutDotSegments(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./")) {
      path.remove_prefix(2);
    } else if (path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../") || path == "/..") {
      path = path.size() == 3 ? "/" : path.substr(3);
      const std::size_t last = result.rfind('/');
      result.resize(last == std::string::npos ? 0 : last);
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = path.find('/', 1);
      result += path.substr(0, end);
      path.remove_prefix(std::min(end, path.size()));
    }
  }
  return result;
}

// RFC 3986, 5.2.3.
std::string MergedPath(const UriParts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  return std::string(base.path.substr(0, base.path.rfind('/') + 1)) + std::string(path);
}

std::string JoinedUri(const UriParts& parts, std::string_view path) {
  std::string uri;
  if (parts.scheme) uri.append(*parts.scheme).append(":");
  if (parts.authority) uri.append("//").append(*parts.authority);
  uri += path;
  if (parts.query) uri.append("?").append(*parts.query);
  return uri;
}

}  // namespace

UriParts SplitUri(std::string_view uri) {
  UriParts parts;
  if (const std::size_t hash = uri.find('#'); hash != uri.npos) {
    parts.fragment = uri.substr(hash + 1);
    uri = uri.substr(0, hash);
  }
  if (const std::size_t mark = uri.find('?'); mark != uri.npos) {
    parts.query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  const std::size_t colon = uri.find(':');
  if (colon != uri.npos && IsScheme(uri.substr(0, colon))) {
    parts.scheme = uri.substr(0, colon);
    uri.remove_prefix(colon + 1);
  }
  if (uri.starts_with("//")) {
    const std::size_t end = std::min(uri.find('/', 2), uri.size());
    parts.authority = uri.substr(2, end - 2);
    uri.remove_prefix(end);
  }
  parts.path = uri;
  return parts;
}

std::string ResolveUri(std::string_view base, std::string_view reference) {
  UriParts to = SplitUri(reference);
  const UriParts from = SplitUri(base);
  if (to.scheme) return JoinedUri(to, WithoutDotSegments(to.path));
  to.scheme = from.scheme;
  if (to.authority) return JoinedUri(to, WithoutDotSegments(to.path));
  to.authority = from.authority;
  if (to.path.empty()) {
    if (!to.query) to.query = from.query;
    return JoinedUri(to, from.path);
  }
  const std::string path = to.path.starts_with('/') ? std::string(to.path) : MergedPath(from, to.path);
  return JoinedUri(to, WithoutDotSegments(path));
}

bool IsUri(std::string_view text) {
  const UriParts parts = SplitUri(text);
  if (!parts.scheme) return false;
  const bool has_root = parts.path.empty() || parts.path.starts_with('/');
  if (parts.authority && (!has_root || !IsAuthority(*parts.authority))) return false;
  return HasOnly(parts.path, ":@/") && HasOnly(parts.query.value_or(""), ":@/?") &&
         HasOnly(parts.fragment.value_or(""), ":@/?");
}

std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsEscape(text, i)) {
      decoded += static_cast<char>(16 * HexDigit(text[i + 1]) + HexDigit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::optional<std::vector<std::string>> StepsOfPointer(std::string_view pointer) {
  std::vector<std::string> steps;
  while (!pointer.empty()) {
    if (pointer[0] != '/') return std::nullopt;
    pointer.remove_prefix(1);
    const std::string_view step = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(step.size());
    std::string& key = steps.emplace_back();
    for (std::size_t i = 0; i < step.size(); ++i) {
      const bool escaped = step[i] == '~' && i + 1 < step.size();
      key += escaped ? (step[++i] == '0' ? '~' : '/') : step[i];
    }
  }
  return steps;
}

void AppendPointerStep(std::string& pointer, std::string_view step) {
  pointer += '/';
  for (const char c : step) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

}  // namespace leafscore::internal
