#include "doc2s/algorithms/kinds.hpp"

// All methods: NAME_kind() is in the file NAME.cpp.
#define DOC2S_METHODS(method) method(doc2s) method(me_dol) method(dgfm) method(dgfm_plus)

namespace doc2s {

#define DOC2S_DECLARE(name) MethodKind name##_kind();
DOC2S_METHODS(DOC2S_DECLARE)

const std::vector<MethodKind>& method_kinds() {
#define DOC2S_MAKE(name) name##_kind(),
  static const std::vector<MethodKind> kinds = {DOC2S_METHODS(DOC2S_MAKE)};
  return kinds;
}

}  // namespace doc2s
