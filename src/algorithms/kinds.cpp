// SPDX-License-Identifier: Apache-2.0
#include "doc2s/algorithms/kinds.hpp"

namespace doc2s {

// A method NAME is the file NAME.cpp, which defines NAME_kind(), and its place in these two lists.
MethodKind doc2s_kind(), me_dol_kind(), dgfm_kind(), dgfm_plus_kind(), dsgd_kind(), doc2s_travel_kind(),
    token_kind();

const std::vector<MethodKind>& method_kinds() {
  static const std::vector<MethodKind> kinds = {doc2s_kind(),     me_dol_kind(), dgfm_kind(),
                                                dgfm_plus_kind(), dsgd_kind(),   doc2s_travel_kind(),
                                                token_kind()};
  return kinds;
}

}  // namespace doc2s
