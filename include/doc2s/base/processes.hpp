#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "doc2s/base/threads.hpp"

namespace doc2s {

// The processes that carry out one experiment together. This class is the case of one alone; transport/ has
// the other, where every process must call the same functions in the same order.
class Processes {
 public:
  virtual ~Processes() = default;

  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  bool is_first() const { return rank() == 0; }

  // Everybody's bytes, in the order of the ranks, for everybody.
  virtual std::vector<std::string> gather(const std::string& mine) { return {mine}; }
  virtual Index gathered_bytes() const { return 0; }  // that this process sent so

  virtual int cores() const { return usable_cores(); }  // that fall to this process

  // Before a process tells why it gives up: false where the first process has told, for then all have the
  // same trouble and hear of it once.
  virtual bool may_tell() { return true; }
  virtual void abandon(int /*exit_code*/) {}  // ends the other processes, and this one with them
};

// Everybody's numbers one after another; where each has those of its clients, they are in the clients' order.
template <class Number>
std::vector<Number> gathered(Processes& processes, const std::vector<Number>& mine) {
  std::vector<Number> all;
  for (const auto& bytes : processes.gather(
           std::string(reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(Number)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(Number));
    std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

}  // namespace doc2s
