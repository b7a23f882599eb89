// engine/base/resource_error.h: turns a lack of memory, threads or processes into an Error(kResources). Its
// message names the request that failed, if known, and what to lower. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_BASE_RESOURCE_ERROR_H_
#define LEAFSCORE_ENGINE_BASE_RESOURCE_ERROR_H_

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "leafscore/error.h"

namespace leafscore::internal {

// A failed allocation of `bytes` bytes for `purpose`, such as "the string distances of a batch".
class AllocationFailure : public std::bad_alloc {
 public:
  // REQUIRES: `purpose` outlives the exception, as literals do.
  AllocationFailure(std::size_t bytes, const char* purpose) : bytes_(bytes), purpose_(purpose) {}
  const char* what() const noexcept override { return "out of memory"; }
  std::size_t bytes() const { return bytes_; }
  const char* purpose() const { return purpose_; }

 private:
  std::size_t bytes_;
  const char* purpose_;
};

// Returns allocate(). ERRORS: AllocationFailure with `bytes` and `purpose` if memory runs out.
template <class Allocate>
decltype(auto) AllocateFor(std::size_t bytes, const char* purpose, Allocate allocate) {
  try {
    return allocate();
  } catch (const std::bad_alloc&) {
    throw AllocationFailure(bytes, purpose);
  } catch (const std::length_error&) {
    throw AllocationFailure(bytes, purpose);
  }
}

// Returns the error for a run that ended with `failure`. `advice` says what to lower.
Error ResourceError(const std::exception& failure, std::string_view advice);

// Returns work(). ERRORS: as `work`, but Error(kResources) if memory, threads or processes ran out.
template <class Work>
decltype(auto) WithResourceErrors(std::string_view advice, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc& failure) {
    throw ResourceError(failure, advice);
  } catch (const std::length_error& failure) {
    throw ResourceError(failure, advice);
  } catch (const std::system_error& failure) {
    throw ResourceError(failure, advice);
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_RESOURCE_ERROR_H_
