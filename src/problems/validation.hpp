// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kinds.hpp"

// problem.validation: rows that training does not see, to choose settings by.
namespace doc2s {

std::vector<Option> validation_options();

// problem.validation where it is a file or a data set's name; "": it is a share, or absent.
std::string validation_data(const Settings& problem);

// Takes the share of each client's rows out of `shares`, by the seed: rounded, and never all. Empty where
// problem.validation is no share.
Shares hold_back(const ProblemRequest& request, Shares& shares);

// Throws Error if the key is given where no rows are kept.
void refuse_validation(const Settings& problem, const std::string& why);

}  // namespace doc2s
