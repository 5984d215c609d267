// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace doc2s::app {

// Columns as wide as they need to be; the first stands left, the others right.
std::string table_text(const std::vector<std::vector<std::string>>& rows);
std::string left_table_text(const std::vector<std::vector<std::string>>& rows);  // all stand left
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace doc2s::app
