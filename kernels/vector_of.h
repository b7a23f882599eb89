// kernels/vector_of.h: vectors of the compiler (GNU C), which have the operators of their lanes and fit any
// instruction set: for kernels that only add, compare and shift. The others use xsimd or intrinsics.
#ifndef LEAFSCORE_KERNELS_VECTOR_OF_H_
#define LEAFSCORE_KERNELS_VECTOR_OF_H_

namespace leafscore::internal {

template <typename Lane, int kBytes>
struct VectorOf {
  typedef Lane Type __attribute__((vector_size(kBytes)));
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_VECTOR_OF_H_
