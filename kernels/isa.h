// kernels/isa.h: which instruction set the kernels run on: the widest that this CPU has, unless another is
// forced. All return the same numbers. Any thread may call all of this.
#ifndef LEAFSCORE_KERNELS_ISA_H_
#define LEAFSCORE_KERNELS_ISA_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// One is defined where the kernels for the instruction sets of x86-64, or of 64-bit ARM, are built in. A
// build without xsimd, which those of x86-64 need, defines LEAFSCORE_PORTABLE_ONLY.
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

// Returns the instruction set of that name, or nothing.
std::optional<Isa> ParseIsa(std::string_view name) noexcept;

// Returns what is built in, narrowest first.
std::span<const Isa> BuiltInIsas() noexcept;

// Returns what is both built in and supported by this CPU, narrowest first.
std::span<const Isa> AvailableIsas() noexcept;

// Returns the instruction set that the kernels use.
Isa ActiveIsa() noexcept;

// Makes the kernels use the instruction set of that name from now on.
// RETURNS: "" when they do; else what is wrong with the name, to end a sentence for the user that names it.
std::string_view ForceIsa(std::string_view name) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_ISA_H_
