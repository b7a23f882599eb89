// kernels/isa.h: selects the instruction set of the kernels: the widest one of this CPU, unless another is
// forced. All instruction sets give the same numbers. Any thread may call these functions.
#ifndef LEAFSCORE_KERNELS_ISA_H_
#define LEAFSCORE_KERNELS_ISA_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// One of these is defined if the kernels for x86-64, or for 64-bit ARM, are built in. A build without xsimd,
// which the x86-64 kernels need, defines LEAFSCORE_PORTABLE_ONLY.
#if defined(__x86_64__) && !defined(LEAFSCORE_PORTABLE_ONLY)
#define LEAFSCORE_X86_64_KERNELS
#elif defined(__aarch64__) && !defined(LEAFSCORE_PORTABLE_ONLY)
#define LEAFSCORE_ARM64_KERNELS
#endif

namespace leafscore::internal {

enum class Isa : std::uint8_t {
  kPortable,  // plain C++ on 64-bit words
  kNeon,      // every 64-bit ARM
  kAvx2,      // with BMI: Intel Haswell, AMD Zen, and later
  kAvx512,    // BW, VL, VBMI, GFNI, BITALG, VPOPCNTDQ: Intel Ice Lake, AMD Zen 4, and later
};

// Returns "portable", "neon", "avx2" or "avx512".
std::string_view IsaName(Isa isa) noexcept;

// Returns the instruction set of that name, or nullopt.
std::optional<Isa> ParseIsa(std::string_view name) noexcept;

// Returns the instruction sets that are built in, narrowest first.
std::span<const Isa> BuiltInIsas() noexcept;

// Returns the instruction sets that are built in and supported by this CPU, narrowest first.
std::span<const Isa> AvailableIsas() noexcept;

// Returns the instruction set that the kernels use.
Isa ActiveIsa() noexcept;

// Makes the kernels use the instruction set of that name from now on.
// RETURNS: "" on success; otherwise what is wrong with the name, as the rest of a sentence that begins with
// the name.
std::string_view ForceIsa(std::string_view name) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_ISA_H_
