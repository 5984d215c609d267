#pragma once
#include <exception>
#include <string>

namespace doc2s {

// A mistake told in one sentence: what is wrong, where (file:line:column, a key, a client), how to mend it.
class Error : public std::exception {
 public:
  explicit Error(std::string what, std::string where = "", std::string hint = "");

  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& problem() const { return what_; }
  const std::string& where() const { return where_; }
  const std::string& hint() const { return hint_; }
  virtual int exit_code() const { return 2; }  // a user's mistake

 private:
  std::string what_, where_, hint_, message_;
};

// The disk is full, memory is short: nobody's mistake.
class MachineError : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 1; }
};

// An iterate or a loss stopped being finite. The run loop turns this into the status "diverged".
class Diverged : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 3; }
};

// The error of a failed system call: errno decides whether the machine or the user is at fault.
[[noreturn]] void throw_system_error(const std::string& what, const std::string& path, int error_number);

}  // namespace doc2s
