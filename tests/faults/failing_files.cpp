// SPDX-License-Identifier: Apache-2.0
// LD_PRELOAD: the k-th call that would change a file (DOC2S_FAULT_AT = k) fails or kills the program.
// DOC2S_FAULT: "once" fails that call alone, "onwards" it and all later ones (a full disk), "short" writes
// half of it first and fails from then on, "torn" writes half of it and fails once (a disk that is full for a
// moment), "kill" ends the program there by SIGKILL, "halves" lets every write from there on take half of
// what it is given. DOC2S_FAULT_CALLS: a list of those that count, e.g. "write,fsync"; all unless given.
// DOC2S_FAULT_ERROR: ENOSPC unless given, or EIO, EINTR, EDQUOT.
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
#include <string>
#include <utility>

namespace {

std::atomic<long> calls{0}, halved{0};

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool mode_is(const char* mode) {
  const char* const given = std::getenv("DOC2S_FAULT");
  return given && std::strcmp(given, mode) == 0;
}

bool counts(const char* name) {
  const char* const listed = std::getenv("DOC2S_FAULT_CALLS");
  return !listed ||
         (std::string(",") + listed + ",").find(std::string(",") + name + ",") != std::string::npos;
}

// Counts a call; true where it is to fail.
bool fails(const char* name) {
  if (!counts(name)) return false;
  const char* const at = std::getenv("DOC2S_FAULT_AT");
  const long number = ++calls, chosen = at ? std::atol(at) : 0;
  if (chosen == 0 || number < chosen) return false;
  if (number > chosen) return !mode_is("once") && !(mode_is("torn") && number > chosen + 1);
  if (mode_is("kill")) raise(SIGKILL);
  return true;
}

int error_number() {
  const char* const given = std::getenv("DOC2S_FAULT_ERROR");
  for (const auto& [name, number] : {std::pair{"EIO", EIO}, {"EINTR", EINTR}, {"EDQUOT", EDQUOT}})
    if (given && std::strcmp(given, name) == 0) return number;
  return ENOSPC;
}

int failure() {
  errno = error_number();
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
  if ((flags & O_ACCMODE) != O_RDONLY && fails("open")) return failure();
  return real<int(const char*, int, ...)>("open")(path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  const auto go_on = real<ssize_t(int, const void*, size_t)>("write");
  if (!is_file(descriptor) || !fails("write")) return go_on(descriptor, bytes, count);
  if (mode_is("halves")) return go_on(descriptor, bytes, (count + 1) / 2);
  if ((mode_is("short") || mode_is("torn")) && ++halved == 1 && count > 1)
    return go_on(descriptor, bytes, count / 2);
  return failure();
}

int fsync(int descriptor) { return fails("fsync") ? failure() : real<int(int)>("fsync")(descriptor); }

int ftruncate(int descriptor, off_t length) {
  return fails("ftruncate") ? failure() : real<int(int, off_t)>("ftruncate")(descriptor, length);
}

int rename(const char* from, const char* to) {
  return fails("rename") ? failure() : real<int(const char*, const char*)>("rename")(from, to);
}

int mkdir(const char* path, mode_t mode) {
  return fails("mkdir") ? failure() : real<int(const char*, mode_t)>("mkdir")(path, mode);
}

int remove(const char* path) { return fails("remove") ? failure() : real<int(const char*)>("remove")(path); }
}
