// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "kinds.hpp"

// Collective checks and exchanges about the data. Every process must call these functions.
namespace doc2s {

// Maximum over all processes.
Index largest(Processes& processes, Index mine);

// Throws Error if the processes read different data from the same file.
void require_same_data(Processes& processes, const std::string& source, Index features,
                       std::span<const double> labels);

// What is known about the file of one client, if each client has its own.
struct Site {
  std::vector<Index> shape;  // {features} of sparse samples, {channels, height, width, classes} of images
  std::map<double, Index> labels;  // number of samples per label; of a table per place in `classes`
  std::vector<std::string> columns{}, classes{};  // of a table
};
Site site_of(std::vector<Index> shape, std::span<const double> labels);

// All clients' sites, gathered from the local ones.
std::vector<Site> all_sites(const ProblemRequest& request, const std::vector<Site>& here);
Split split_of(const std::vector<Site>& sites);
Index samples_of(const std::vector<Site>& sites);

// A notice if clients.partition is set but has no effect; else "".
std::string unused_partition_notice(const ProblemRequest& request);

}  // namespace doc2s
