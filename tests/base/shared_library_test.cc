#include "engine/base/shared_library.h"

#include <gtest/gtest.h>

#include <string>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

TEST(SharedLibraryTest, LoadsTheFirstFileThatIsThere) {
  double (*truncate)(double);
  SharedLibrary({"libno-such.so.2", "libm.so.6"}, "libc6").Find("trunc", truncate);
  EXPECT_EQ(truncate(2.5), 2.0);
}

TEST(SharedLibraryTest, NamesTheNewestVersionIfThereIsNone) {
  try {
    SharedLibrary({"libno-such.so.2", "libno-such.so.1"}, "libno-such2");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "libno-such.so.2: cannot open shared object file: No such file or directory; install the "
              "Debian package "
              "libno-such2, or on other systems the package with libno-such.so.2");
  }
}

}  // namespace
}  // namespace leafscore::internal
