// kernels/vector_of.h: vector types of the compiler (GNU C), which have the operators of their lanes on any
// instruction set. Kernels that only add, compare and shift use them; other kernels use xsimd or intrinsics.
#ifndef LEAFSCORE_KERNELS_VECTOR_OF_H_
#define LEAFSCORE_KERNELS_VECTOR_OF_H_

namespace leafscore::internal {

template <typename Lane, int kBytes>
struct VectorOf {
  typedef Lane Type __attribute__((vector_size(kBytes)));
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_VECTOR_OF_H_
