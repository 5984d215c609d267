#pragma once
#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

namespace doc2s::bench {

// Another program, spoken to line by line; it ends when its input does.
class Child {
 public:
  explicit Child(const std::vector<std::string>& words);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void say(const std::string& line);
  std::string hear();  // the next line; "" where the program has ended
  int end();           // its exit code; 127 where it could not be started

 private:
  pid_t process_ = -1;
  std::FILE *to_ = nullptr, *from_ = nullptr;
};

// Runs a program to its end without its output; its exit code.
int run_quietly(const std::vector<std::string>& words);

// The first Python that can import NumPy, or "".
const std::string& python_with_numpy();

}  // namespace doc2s::bench
