// Runs tests with a hash that is always zero.
#include <gtest/gtest.h>

#include "engine/base/hash.h"

int main(int argc, char** argv) {
  leafscore::internal::hash_mask = 0;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
