// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>
#include <utility>

namespace doc2s {

// One sentence: what is wrong, where (file:line:column, a key, a client) and a hint how to fix it.
class Error : public std::exception {
 public:
  explicit Error(std::string what, std::string where = "", std::string hint = "");

  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& problem() const { return what_; }
  const std::string& where() const { return where_; }
  const std::string& hint() const { return hint_; }
  virtual int exit_code() const { return 2; }  // user error

 private:
  std::string what_, where_, hint_, message_;
};

// Disk full, out of memory: not a user error.
class MachineError : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 1; }
};

// An iterate or a loss is not finite. The run loop turns this into the status "diverged".
class Diverged : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 3; }
};

// Somebody asked to stop before there was a run to keep. No Error, for nothing is wrong.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  static constexpr int exit_code = 130;

 private:
  std::string message_;
};

// Throws the error of a failed system call. errno decides between Error and MachineError.
[[noreturn]] void throw_system_error(const std::string& what, const std::string& path, int error_number);

}  // namespace doc2s
