// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kinds.hpp"
#include "losses.hpp"
#include "table_rows.hpp"

namespace doc2s {

// The data of a problem on a table in one process.
struct TableData {
  Table train;                    // the rows that this process holds, scaled
  Shares shares;                  // rows of `train`; empty for a client in another process
  Shares rows;                    // the same as row numbers of the data file
  Table test;                     // in the first process, if any; scaled
  std::vector<Table> validation;  // of each client here, or a file's in the first process; scaled
  Index samples;                  // training samples of all clients
  Split split;                    // of all clients; empty if targets are numbers
  Preprocessing preprocessing;
  std::string source;
  std::vector<std::string> notices, local_notices;  // the latter: of this process's own files
};

// Whether problem.data is a table: by its ending, and for networks also LIBSVM text.
bool is_table_data(const Settings& problem);
TableData table_data(const ProblemRequest& request);

// New samples for a model with this preprocessing, scaled; with targets where the file has them.
Table new_rows(const std::string& path, const Preprocessing& preprocessing);

// Options of a problem whose data may be a table.
std::vector<Option> table_options();
// How features are scaled: `otherwise` where the data is no table; none: the key has no meaning then.
Option scaling_option(std::vector<std::string> choices, std::optional<std::string> otherwise,
                      std::string help);

// `loss` and `huber_delta`; mse where targets are numbers, else `of_classes`.
std::vector<Option> loss_options(std::optional<std::string> of_classes, std::string help);
LossRule loss_rule(const Settings& problem);  // throws Error if it does not fit the target

// Throws Error if one of these keys is given; they are for tables.
void refuse_table_keys(const Settings& problem, const std::vector<std::string>& keys);

}  // namespace doc2s
