#include "kernels/isa.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace leafscore::internal {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"portable", "avx2", "avx512"};

struct Available {
  std::array<Isa, 3> isas = {Isa::kPortable};
  std::size_t count = 1;

  Available() {
#ifdef LEAFSCORE_X86_64_KERNELS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
      isas[count++] = Isa::kAvx2;
    }
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("gfni")) {
      isas[count++] = Isa::kAvx512;
    }
#endif
  }
};

struct Choice {
  Isa isa = AvailableIsas().back();
  std::string_view error;

  Choice() {
    const char* forced = std::getenv("LEAFSCORE_ISA");
    if (forced == nullptr || *forced == '\0') return;
    const std::optional<Isa> parsed = ParseIsa(forced);
    isa = Isa::kPortable;
    if (!parsed) {
      error = "LEAFSCORE_ISA names no instruction set of ours: use portable, avx2 or avx512, or unset it.";
    } else if (std::ranges::find(AvailableIsas(), *parsed) == AvailableIsas().end()) {
      error =
          "LEAFSCORE_ISA names an instruction set that this CPU does not have: use a narrower one, or unset "
          "it.";
    } else {
      isa = *parsed;
    }
  }
};

const Choice& TheChoice() noexcept {
  static const Choice choice;
  return choice;
}

}  // namespace

std::string_view IsaName(Isa isa) noexcept { return kNames[static_cast<std::size_t>(isa)]; }

std::optional<Isa> ParseIsa(std::string_view name) noexcept {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Isa>(found - kNames.begin());
}

std::span<const Isa> BuiltInIsas() noexcept {
#ifdef LEAFSCORE_X86_64_KERNELS
  static constexpr std::array kBuiltIn = {Isa::kPortable, Isa::kAvx2, Isa::kAvx512};
#else
  static constexpr std::array kBuiltIn = {Isa::kPortable};
#endif
  return kBuiltIn;
}

std::span<const Isa> AvailableIsas() noexcept {
  static const Available available;
  return {available.isas.data(), available.count};
}

Isa ActiveIsa() noexcept { return TheChoice().isa; }

std::string_view IsaError() noexcept { return TheChoice().error; }

}  // namespace leafscore::internal
