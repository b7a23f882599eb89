#include "kernels/gpu/cuda_device.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace leafscore::internal::gpu {
namespace {

TEST(CudaDeviceTest, SaysWhyItCannotOpenAGpuThatIsNotThere) {
  std::string error;
  EXPECT_EQ(OpenCudaDevice(1'000'000, error), nullptr);
  EXPECT_NE(error, "");
  EXPECT_NE(error, "no error");
}

TEST(CudaDeviceTest, OpensTheFirstGpuOrSaysWhyNot) {
  std::string error;
  const std::unique_ptr<GpuDevice> device = OpenCudaDevice(0, error);
  if (device == nullptr) {
    EXPECT_NE(error, "");
    GTEST_SKIP() << "no GPU: " << error;
  }
  EXPECT_NE(device->name(), "");
  EXPECT_NE(device->FreeBytes(), 0u);
  EXPECT_EQ(device->error(), "");
}

}  // namespace
}  // namespace leafscore::internal::gpu
