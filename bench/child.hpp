// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

namespace doc2s::bench {

// A child process with line-based input and output. It exits when its input closes.
class Child {
 public:
  explicit Child(std::vector<std::string> arguments);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void write_line(const std::string& line);
  std::string read_line();    // the next line; "" if the program has exited
  double peak_bytes() const;  // of its memory so far; 0 once it has ended
  int end();                  // exit code; 127 if the program could not be started

 private:
  pid_t process_ = -1;
  std::FILE *to_ = nullptr, *from_ = nullptr;
};

// Runs a program, discards its output and returns its exit code.
int run_quietly(const std::vector<std::string>& arguments);

// The first Python that can import NumPy, or "".
const std::string& python_with_numpy();

}  // namespace doc2s::bench
