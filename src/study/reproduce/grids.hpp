// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "study/sweep.hpp"

namespace doc2s {

// Where settings are looked for: around the paper's own values, or over powers of ten.
enum class Grid { paper, wide };
std::string name_of(Grid grid);

// The settings that a method is tuned over, `trials` of them (16 or 4) whatever the method has to tune:
//   DOC²S and ME-DOL   η × D
//   DOC²S with rounds  η × D, each pair with one of the rounds: with 16, every η and every D meets every R
//   DGFM               η
//   DGFM⁺              η × q
std::vector<Changes> settings_for(const std::string& method, Grid grid, int trials,
                                  const std::vector<int>& rounds = {});

}  // namespace doc2s
