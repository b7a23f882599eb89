// Work of the engine that Ctrl-C can end. The calling thread holds the GIL.
#ifndef LEAFSCORE_PYTHON_BINDINGS_INTERRUPTIBLE_H_
#define LEAFSCORE_PYTHON_BINDINGS_INTERRUPTIBLE_H_

#include <atomic>
#include <cstddef>
#include <functional>

namespace leafscore::python {

// Runs `work` on a thread of its own without the GIL, and returns when it is done. Meanwhile the calling
// thread handles signals, and calls `tick` with the GIL, several times a second. When either raises, `stop`
// becomes true, `work` is waited for, and the exception goes on. ERRORS: those of `work`.
void RunInterruptibly(std::atomic<bool>& stop, const std::function<void()>& work,
                      const std::function<void()>& tick = {});

// Texts of fewer bytes are worked on at once, as a thread takes longer to start.
inline constexpr std::size_t kQuickBytes = 16 << 10;

// Runs `work` on the calling thread without the GIL and without ticks if it `is_quick`, and else as above.
void RunAtOnceIf(bool is_quick, std::atomic<bool>& stop, const std::function<void()>& work,
                 const std::function<void()>& tick = {});

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_INTERRUPTIBLE_H_
