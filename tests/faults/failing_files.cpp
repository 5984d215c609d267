// LD_PRELOAD: the k-th call that would change a file (DOC2S_FAULT_AT = k) fails or kills the program.
// DOC2S_FAULT: "once" fails that call alone, "onwards" it and all later ones (a full disk), "short" writes
// half of it first and fails from then on, "kill" ends the program there by SIGKILL.
// DOC2S_FAULT_COUNT: a file that gets how many such calls there were.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool mode_is(const char* mode) {
  const char* const given = std::getenv("DOC2S_FAULT");
  return given && std::strcmp(given, mode) == 0;
}

// Counts a call; true where it is to fail.
bool fails() {
  const char* const at = std::getenv("DOC2S_FAULT_AT");
  const long number = ++calls, chosen = at ? std::atol(at) : 0;
  if (chosen == 0 || number < chosen) return false;
  if (number > chosen) return !mode_is("once");
  if (mode_is("kill")) raise(SIGKILL);
  return true;
}

int failure() {
  errno = ENOSPC;
  return -1;
}

bool is_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

struct Report {
  ~Report() {
    if (const char* const path = std::getenv("DOC2S_FAULT_COUNT")) {
      std::FILE* const file = std::fopen(path, "w");
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }
} report;

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if ((flags & O_ACCMODE) != O_RDONLY && fails()) return failure();
  return real<int(const char*, int, ...)>("open")(path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  const auto go_on = real<ssize_t(int, const void*, size_t)>("write");
  if (!is_file(descriptor) || !fails()) return go_on(descriptor, bytes, count);
  if (mode_is("short") && count > 1) return go_on(descriptor, bytes, count / 2);
  return failure();
}

int fsync(int descriptor) { return fails() ? failure() : real<int(int)>("fsync")(descriptor); }

int ftruncate(int descriptor, off_t length) {
  return fails() ? failure() : real<int(int, off_t)>("ftruncate")(descriptor, length);
}

int rename(const char* from, const char* to) {
  return fails() ? failure() : real<int(const char*, const char*)>("rename")(from, to);
}

int mkdir(const char* path, mode_t mode) {
  return fails() ? failure() : real<int(const char*, mode_t)>("mkdir")(path, mode);
}

int remove(const char* path) { return fails() ? failure() : real<int(const char*)>("remove")(path); }
}
