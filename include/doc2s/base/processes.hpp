#pragma once
#include <string>
#include <vector>

namespace doc2s {

// The processes that carry out one experiment together. This class is the case of one alone; transport/ has the
// other, where every process must call the same functions in the same order.
class Processes {
 public:
  virtual ~Processes() = default;

  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  bool is_first() const { return rank() == 0; }

  // Everybody's bytes, in the order of the ranks, for everybody.
  virtual std::vector<std::string> gather(const std::string& mine) { return {mine}; }
};

}  // namespace doc2s
