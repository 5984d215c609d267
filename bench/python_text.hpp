// SPDX-License-Identifier: Apache-2.0
#pragma once

// The Python competitors as strings, so that an installed program needs no other file (cmake/Bench.cmake).
namespace doc2s::bench {

extern const char* const numpy_loop_text;
extern const char* const replay_draws_text;

}  // namespace doc2s::bench
