#include "python/bindings/interruptible.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace leafscore::python {
namespace {

constexpr std::chrono::milliseconds kTick(25);

}  // namespace

void RunInterruptibly(std::atomic<bool>& stop, const std::function<void()>& work,
                      const std::function<void()>& tick) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;       // of the work
  std::exception_ptr interruption;  // of a signal or a tick
  const auto look_up = [&] {
    const nanobind::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) nanobind::raise_python_error();
      if (tick) tick();
    } catch (...) {
      interruption = std::current_exception();
      stop = true;
    }
  };
  {
    const nanobind::gil_scoped_release no_gil;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_one();  // under the lock, as the waiting thread destroys this when it has it
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kTick, [&] { return done; })) {
      if (interruption != nullptr) continue;
      lock.unlock();
      look_up();
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (interruption != nullptr) std::rethrow_exception(interruption);
  if (failure != nullptr) std::rethrow_exception(failure);
}

void RunAtOnceIf(bool is_quick, std::atomic<bool>& stop, const std::function<void()>& work,
                 const std::function<void()>& tick) {
  if (!is_quick) return RunInterruptibly(stop, work, tick);
  const nanobind::gil_scoped_release no_gil;
  work();
}

}  // namespace leafscore::python
