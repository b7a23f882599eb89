// A library to preload (LD_PRELOAD) under which one call that a program makes of the system fails, does less
// than it was asked for, or is the last before a signal. tests/faults/campaign.py runs the command under it.
//
// LEAFSCORE_FAULT is KIND:N:WHAT or KIND:N:WHAT:stays. It is about the N-th call of a kind (Kind, below)
// since main began, and with "stays" about all later ones, too; for N = 0 about none. WHAT is a number of an
// error that the call returns without being made; "short", with which it reads or writes half; or
// "signal=NUMBER", which the process gets when the call is done. LEAFSCORE_FAULT_COUNT names a file of at
// least 64 bytes, which gets the number of calls of the kind, and the name of the function that the fault
// hit. Writes to standard error are left alone, and so are the programs that the command starts.
//
// The command calls no posix_spawn. What the C library does inside, such as the mmap of its malloc, cannot be
// caught.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum Kind { kRead, kWrite, kOpen, kSync, kName, kMap, kSize, kClose, kStat, kAllocation, kProcess, kThread };
constexpr const char* kKindNames[] = {"read", "write", "open", "sync",       "name",    "map",
                                      "size", "close", "stat", "allocation", "process", "thread"};

// What the file of LEAFSCORE_FAULT_COUNT holds.
struct Count {
  std::atomic<std::uint64_t> calls;
  char function[56];
};

Count nobody_asks;
Count* count = &nobody_asks;
pid_t program = 0;  // 0: main has not begun
int faulty_kind = -1;
std::uint64_t faulty_call = 0;
int faulty_errno = 0;
int faulty_signal = 0;
bool stays = false;

enum class Fate { kNormal, kFails, kShort, kSignal };

Fate FateOf(Kind kind, const char* function) {
  if (kind != faulty_kind || program == 0 || getpid() != program) return Fate::kNormal;
  const std::uint64_t call = ++count->calls;
  if (faulty_call == 0 || call < faulty_call || (call > faulty_call && !stays)) return Fate::kNormal;
  if (call == faulty_call) std::strncpy(count->function, function, sizeof count->function - 1);
  if (faulty_errno != 0) {
    errno = faulty_errno;
    return Fate::kFails;
  }
  return faulty_signal != 0 ? Fate::kSignal : Fate::kShort;
}

// Sends the signal of a call that is done.
void EndCall(Fate fate) {
  if (fate != Fate::kSignal) return;
  const int error = errno;
  kill(getpid(), faulty_signal);
  errno = error;
}

// Returns what the real call returns, or `failed` in its place.
template <class Result, class Call>
Result Do(Kind kind, const char* function, Result failed, Call call) {
  const Fate fate = FateOf(kind, function);
  if (fate == Fate::kFails) return failed;
  const Result result = call();
  EndCall(fate);
  return result;
}

// The same for a call that is given a size.
template <class Call>
ssize_t Transfer(Kind kind, const char* function, std::size_t size, Call call) {
  const Fate fate = FateOf(kind, function);
  if (fate == Fate::kFails) return -1;
  const ssize_t result = call(fate == Fate::kShort && size > 1 ? size / 2 : size);
  EndCall(fate);
  return result;
}

void Begin() {
  const char* const fault = std::getenv("LEAFSCORE_FAULT");
  const char* const counted = std::getenv("LEAFSCORE_FAULT_COUNT");
  if (fault == nullptr) return;
  char kind[32] = {};
  char what[32] = {};
  unsigned long long call = 0;
  if (std::sscanf(fault, "%31[^:]:%llu:%31[^:]", kind, &call, what) != 3) std::abort();
  for (int k = 0; k <= kThread; ++k) {
    if (std::strcmp(kind, kKindNames[k]) == 0) faulty_kind = k;
  }
  if (faulty_kind < 0) std::abort();
  faulty_call = call;
  stays = std::strstr(fault, ":stays") != nullptr;
  if (std::strncmp(what, "signal=", 7) == 0) {
    faulty_signal = std::atoi(what + 7);
  } else if (std::strcmp(what, "short") != 0) {
    faulty_errno = std::atoi(what);
  }
  if (counted != nullptr) {
    const int file = open(counted, O_RDWR | O_CLOEXEC);
    void* const shared = mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) std::abort();
    count = static_cast<Count*>(shared);
    close(file);
  }
  for (const char* name : {"LD_PRELOAD", "LEAFSCORE_FAULT", "LEAFSCORE_FAULT_COUNT"}) unsetenv(name);
}

int (*real_main)(int, char**, char**) = nullptr;

int Main(int argc, char** argv, char** environment) {
  program = getpid();
  return real_main(argc, argv, environment);
}

// Returns the function of this name that would be called without this library.
template <class Function>
Function* Real(Function* /*like*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define REAL(name) static const auto real = Real(static_cast<decltype(&::name)>(nullptr), #name)

// Catches a call that returns -1 where it fails, or what else is given.
#define CATCH(kind, result, failed, name, parameters, ...)                     \
  result name parameters {                                                     \
    REAL(name);                                                                \
    return Do<result>(kind, #name, failed, [&] { return real(__VA_ARGS__); }); \
  }

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  using Start = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  Begin();
  real_main = main;
  return Real(static_cast<Start*>(nullptr), "__libc_start_main")(Main, argc, argv, init, fini, rtld_fini,
                                                                 stack_end);
}

ssize_t read(int file, void* bytes, std::size_t size) {
  REAL(read);
  return Transfer(kRead, "read", size, [&](std::size_t n) { return real(file, bytes, n); });
}
ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
  REAL(pread);
  return Transfer(kRead, "pread", size, [&](std::size_t n) { return real(file, bytes, n, offset); });
}
ssize_t write(int file, const void* bytes, std::size_t size) {
  REAL(write);
  if (file == STDERR_FILENO) return real(file, bytes, size);
  return Transfer(kWrite, "write", size, [&](std::size_t n) { return real(file, bytes, n); });
}
CATCH(kWrite, ssize_t, -1, writev, (int file, const iovec* parts, int n), file, parts, n)

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  REAL(open);
  return Do(kOpen, "open", -1, [&] { return real(path, flags, mode); });
}
int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  REAL(openat);
  return Do(kOpen, "openat", -1, [&] { return real(folder, path, flags, mode); });
}
CATCH(kOpen, FILE*, nullptr, fopen64, (const char* path, const char* mode), path, mode)
CATCH(kOpen, DIR*, nullptr, opendir, (const char* path), path)
CATCH(kOpen, DIR*, nullptr, fdopendir, (int folder), folder)
CATCH(kOpen, dirent*, nullptr, readdir, (DIR * folder), folder)

CATCH(kSync, int, -1, fsync, (int file), file)
CATCH(kSync, int, -1, fdatasync, (int file), file)

CATCH(kName, int, -1, rename, (const char* from, const char* to), from, to)
CATCH(kName, int, -1, renameat, (int from_folder, const char* from, int to_folder, const char* to),
      from_folder, from, to_folder, to)
CATCH(kName, int, -1, link, (const char* from, const char* to), from, to)
CATCH(kName, int, -1, linkat, (int from_folder, const char* from, int to_folder, const char* to, int flags),
      from_folder, from, to_folder, to, flags)
CATCH(kName, int, -1, unlink, (const char* path), path)
CATCH(kName, int, -1, unlinkat, (int folder, const char* path, int flags), folder, path, flags)
CATCH(kName, int, -1, mkdir, (const char* path, mode_t mode), path, mode)

CATCH(kMap, void*, MAP_FAILED, mmap,
      (void* at, std::size_t size, int access, int flags, int file, off_t offset), at, size, access, flags,
      file, offset)

CATCH(kSize, int, -1, ftruncate, (int file, off_t size), file, size)
CATCH(kSize, off_t, -1, lseek, (int file, off_t offset, int from), file, offset, from)

// As Linux does, a close that fails closes all the same.
int close(int file) {
  REAL(close);
  const Fate fate = FateOf(kClose, "close");
  const int result = real(file);
  EndCall(fate);
  if (fate == Fate::kFails) errno = faulty_errno;
  return fate == Fate::kFails ? -1 : result;
}

CATCH(kStat, int, -1, stat, (const char* path, struct stat* status), path, status)
CATCH(kStat, int, -1, lstat, (const char* path, struct stat* status), path, status)
CATCH(kStat, int, -1, fstat, (int file, struct stat* status), file, status)
CATCH(kStat, int, -1, fstatat, (int folder, const char* path, struct stat* status, int flags), folder, path,
      status, flags)
CATCH(kStat, int, -1, access, (const char* path, int mode), path, mode)
CATCH(kStat, int, -1, faccessat, (int folder, const char* path, int mode, int flags), folder, path, mode,
      flags)
CATCH(kStat, int, -1, flock, (int file, int operation), file, operation)

void* malloc(std::size_t size) {
  return Do<void*>(kAllocation, "malloc", nullptr, [&] { return __libc_malloc(size); });
}
void* calloc(std::size_t number, std::size_t size) {
  return Do<void*>(kAllocation, "calloc", nullptr, [&] { return __libc_calloc(number, size); });
}
void* realloc(void* memory, std::size_t size) {
  return Do<void*>(kAllocation, "realloc", nullptr, [&] { return __libc_realloc(memory, size); });
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return Do<void*>(kAllocation, "aligned_alloc", nullptr, [&] { return __libc_memalign(alignment, size); });
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = aligned_alloc(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

CATCH(kProcess, pid_t, -1, fork, (), )
CATCH(kProcess, int, -1, pipe2, (int* ends, int flags), ends, flags)

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  REAL(pthread_create);
  return Do(kThread, "pthread_create", faulty_errno, [&] { return real(thread, attributes, run, argument); });
}

}  // extern "C"
