#include "doc2s/algorithms/kinds.hpp"

#include "doc2s.hpp"

namespace doc2s {

const std::vector<MethodKind>& method_kinds() {
  static const std::vector<MethodKind> kinds = {doc2s_kind()};
  return kinds;
}

}  // namespace doc2s
