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
// LEAFSCORE_NAMES names a file that gets a line for each name that the program makes, opens to write, renames
// to or removes: the absolute path. tests/faults/names.py puts files of others there.
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
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
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

int names_file = -1;  // of LEAFSCORE_NAMES

// Notes a name that may be changed. Calls the system itself, so that nothing of this is counted.
void Note(int folder, const char* name) {
  if (names_file < 0 || name == nullptr) return;
  const int error = errno;
  char line[2 * 4096];
  ssize_t size = 0;
  if (name[0] != '/') {
    char link[64];
    std::snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    size = std::max<ssize_t>(0, readlink(link, line, 4096));
    line[size++] = '/';
  }
  const std::size_t length = strnlen(name, 4095);
  std::memcpy(line + size, name, length);
  line[size + static_cast<ssize_t>(length)] = '\n';
  syscall(SYS_write, names_file, line, static_cast<std::size_t>(size) + length + 1);
  errno = error;
}

// Notes one that is opened, unless only to be read.
void NoteOpen(int folder, const char* name, int flags) {
  if ((flags & O_ACCMODE) != O_RDONLY && (flags & O_TMPFILE) != O_TMPFILE) Note(folder, name);
}

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
  if (const char* const names = std::getenv("LEAFSCORE_NAMES"); names != nullptr) {
    names_file = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, names, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    if (names_file < 0) std::abort();
    for (const char* name : {"LD_PRELOAD", "LEAFSCORE_NAMES"}) unsetenv(name);
  }
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
  NoteOpen(AT_FDCWD, path, flags);
  return Do(kOpen, "open", -1, [&] { return real(path, flags, mode); });
}
int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  REAL(openat);
  NoteOpen(folder, path, flags);
  return Do(kOpen, "openat", -1, [&] { return real(folder, path, flags, mode); });
}
// What a library calls that is made for large files is only noted.
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  REAL(open64);
  NoteOpen(AT_FDCWD, path, flags);
  return real(path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  REAL(openat64);
  NoteOpen(folder, path, flags);
  return real(folder, path, flags, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  REAL(fopen64);
  if (std::strpbrk(mode, "wa+") != nullptr) Note(AT_FDCWD, path);
  return Do<FILE*>(kOpen, "fopen64", nullptr, [&] { return real(path, mode); });
}
CATCH(kOpen, DIR*, nullptr, opendir, (const char* path), path)
CATCH(kOpen, DIR*, nullptr, fdopendir, (int folder), folder)
CATCH(kOpen, dirent*, nullptr, readdir, (DIR * folder), folder)

CATCH(kSync, int, -1, fsync, (int file), file)
CATCH(kSync, int, -1, fdatasync, (int file), file)

// Catches a call that gives a name, or takes one away.
#define CATCH_NAME(folder, path, name, parameters, ...)                  \
  int name parameters {                                                  \
    REAL(name);                                                          \
    Note(folder, path);                                                  \
    return Do<int>(kName, #name, -1, [&] { return real(__VA_ARGS__); }); \
  }

CATCH_NAME(AT_FDCWD, to, rename, (const char* from, const char* to), from, to)
CATCH_NAME(to_folder, to, renameat, (int from_folder, const char* from, int to_folder, const char* to),
           from_folder, from, to_folder, to)
CATCH_NAME(AT_FDCWD, to, link, (const char* from, const char* to), from, to)
CATCH_NAME(to_folder, to, linkat,
           (int from_folder, const char* from, int to_folder, const char* to, int flags), from_folder, from,
           to_folder, to, flags)
CATCH_NAME(AT_FDCWD, path, unlink, (const char* path), path)
CATCH_NAME(folder, path, unlinkat, (int folder, const char* path, int flags), folder, path, flags)
CATCH_NAME(AT_FDCWD, path, remove, (const char* path), path)
CATCH_NAME(AT_FDCWD, path, rmdir, (const char* path), path)
CATCH_NAME(AT_FDCWD, path, mkdir, (const char* path, mode_t mode), path, mode)

// Names that the C library makes up are noted as they are asked for: NAME-XXXXXX.
int mkstemp(char* name) {
  REAL(mkstemp);
  Note(AT_FDCWD, name);
  return real(name);
}
int mkostemp(char* name, int flags) {
  REAL(mkostemp);
  Note(AT_FDCWD, name);
  return real(name, flags);
}
char* mkdtemp(char* name) {
  REAL(mkdtemp);
  Note(AT_FDCWD, name);
  return real(name);
}

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
