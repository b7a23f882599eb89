#include "kernels/isa.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace leafscore::internal {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"portable", "neon", "avx2", "avx512"};

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
#elif defined(LEAFSCORE_ARM64_KERNELS)
    isas[count++] = Isa::kNeon;
#endif
  }
};

std::atomic<Isa>& Active() noexcept {
  static std::atomic<Isa> active = AvailableIsas().back();
  return active;
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
#elif defined(LEAFSCORE_ARM64_KERNELS)
  static constexpr std::array kBuiltIn = {Isa::kPortable, Isa::kNeon};
#else
  static constexpr std::array kBuiltIn = {Isa::kPortable};
#endif
  return kBuiltIn;
}

std::span<const Isa> AvailableIsas() noexcept {
  static const Available available;
  return {available.isas.data(), available.count};
}

Isa ActiveIsa() noexcept { return Active().load(std::memory_order_relaxed); }

std::string_view ForceIsa(std::string_view name) noexcept {
  const std::optional<Isa> isa = ParseIsa(name);
  if (!isa) return "names no instruction set of ours: use portable, neon, avx2 or avx512";
  if (std::ranges::find(AvailableIsas(), *isa) == AvailableIsas().end()) {
    return "names an instruction set that this CPU does not have: use a narrower one";
  }
  Active() = *isa;
  return "";
}

}  // namespace leafscore::internal
