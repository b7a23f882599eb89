#include "engine/judge/sha256.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <new>

#include "engine/base/shared_library.h"

namespace leafscore::internal {

Sha256 HashOf(std::initializer_list<std::string_view> texts) {
  static const SharedLibrary library({"libcrypto.so.3", "libcrypto.so.1.1"},
                                     "libssl3");  // RHEL 8 has the second
  static const auto digest = [] {
    decltype(&::SHA256) function;
    library.Find("SHA256", function);
    return function;
  }();
  std::string all;
  for (const std::string_view text : texts) all.append(std::to_string(text.size())).append(":").append(text);
  Sha256 hash{};
  if (digest(reinterpret_cast<const unsigned char*>(all.data()), all.size(), hash.data()) == nullptr) {
    throw std::bad_alloc();
  }
  return hash;
}

std::string HexOf(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

}  // namespace leafscore::internal
