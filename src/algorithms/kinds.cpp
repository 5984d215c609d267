#include "doc2s/algorithms/kinds.hpp"

#include "methods.hpp"

namespace doc2s {

const std::vector<MethodKind>& method_kinds() {
  static const std::vector<MethodKind> kinds = {doc2s_kind(), me_dol_kind(), dgfm_kind(), dgfm_plus_kind()};
  return kinds;
}

}  // namespace doc2s
