#include "engine/judge/sha256.h"

#include <openssl/evp.h>

#include <memory>
#include <new>

namespace leafscore::internal {
namespace {

struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

Sha256 HashOf(std::initializer_list<std::string_view> texts) {
  const std::unique_ptr<EVP_MD_CTX, ContextDeleter> context(EVP_MD_CTX_new());
  bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const std::string_view text : texts) {
    const std::string size = std::to_string(text.size()) + ":";
    good = good && EVP_DigestUpdate(context.get(), size.data(), size.size()) == 1 &&
           EVP_DigestUpdate(context.get(), text.data(), text.size()) == 1;
  }
  Sha256 hash{};
  if (!good || EVP_DigestFinal_ex(context.get(), hash.data(), nullptr) != 1) throw std::bad_alloc();
  return hash;
}

std::string HexOf(const Sha256& hash) {
  std::string hex;
  for (const std::uint8_t byte : hash) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

}  // namespace leafscore::internal
