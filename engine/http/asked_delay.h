// engine/http/asked_delay.h: how long a service asks us to wait, as the headers of a reply say. THREADS: as a
// value.
#ifndef LEAFSCORE_ENGINE_HTTP_ASKED_DELAY_H_
#define LEAFSCORE_ENGINE_HTTP_ASKED_DELAY_H_

#include <chrono>
#include <ctime>
#include <optional>
#include <string_view>

namespace leafscore::internal {

// One limit of a service, on requests or tokens, as its headers state it.
struct ServiceLimit {
  std::optional<double> remaining = {};
  std::optional<std::chrono::milliseconds> reset = {};  // when it is available again
  bool lacks(double amount) const { return remaining && *remaining < amount; }
};

struct AskedDelay {
  std::optional<std::chrono::milliseconds> retry_after = {};
  ServiceLimit requests = {};
  ServiceLimit tokens = {};

  // Takes a line of the headers, which came at this time.
  void Take(std::string_view line, std::time_t now);

  // Returns whether a refusal means that we overload the service. It does not if the service allows a retry
  // at once, or states what remains of a limit.
  bool is_by_load() const {
    return retry_after != std::chrono::milliseconds(0) && !requests.remaining && !tokens.remaining;
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_ASKED_DELAY_H_
