// SPDX-License-Identifier: Apache-2.0
// Stands in for a libdoc2s_torch.so that was built from other sources. Only its identity may be asked for.
#include <cstdlib>

extern "C" const char* doc2s_torch_identity() { return "sources of long ago"; }

extern "C" const void* doc2s_torch_library() { std::abort(); }
