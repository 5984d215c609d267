// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "doc2s/base/threads.hpp"

namespace doc2s {

// The processes that run one experiment together. This class is the single-process case. transport/ has the
// MPI case, where every process must call the same functions in the same order.
class Processes {
 public:
  virtual ~Processes() = default;

  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  bool is_first() const { return rank() == 0; }

  // Allgather: the bytes of every process, by rank.
  virtual std::vector<std::string> gather(const std::string& mine) { return {mine}; }
  virtual Index gathered_bytes() const { return 0; }  // sent by this process

  virtual int cores() const { return usable_cores(); }  // available to this process

  // Called before a process reports why it gives up. Returns false where one of a lower rank gives up too:
  // one sentence is enough.
  virtual bool may_tell() { return true; }
  virtual void abandon(int /*exit_code*/) {}  // ends all processes
  virtual void desert() {}  // this process left the others by an exception: its end is theirs
  virtual void rejoin() {}  // they went through a whole run together again
  virtual void leave() {}   // the program ends: if it deserted the others, ends them
};

// Concatenated by rank. If each process passes numbers of its clients, the result is in client order.
template <class Number>
std::vector<Number> gathered(Processes& processes, const std::vector<Number>& mine) {
  std::vector<Number> all;
  for (const auto& bytes : processes.gather(
           std::string(reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(Number)))) {
    if (bytes.empty()) continue;
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(Number));
    std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

// What the first process finds.
inline bool told_by_first(Processes& processes, bool mine) {
  return gathered<char>(processes, {mine ? '\1' : '\0'}).front() == '\1';
}

}  // namespace doc2s
