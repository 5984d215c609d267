#include "doc2s/problems/kinds.hpp"

#include "doc2s/problems/svm.hpp"

namespace doc2s {

const std::vector<ProblemKind>& problem_kinds() {
  static const std::vector<ProblemKind> kinds = {svm_kind()};
  return kinds;
}

}  // namespace doc2s
