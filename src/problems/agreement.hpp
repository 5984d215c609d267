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
  Index rows;
  std::map<double, Index> labels;  // number of samples per label; of a table per place in `classes`
  std::vector<std::string> columns{}, classes{};  // of a table
};
Site site_of(std::vector<Index> shape, std::span<const double> labels);

// All clients' sites, gathered from the local ones; the numbers of `labels` are 0 unless
// problem.share_labels.
std::vector<Site> all_sites(const ProblemRequest& request, const std::vector<Site>& here);
Split split_of(const ProblemRequest& request, const std::vector<Site>& sites);
Index samples_of(const std::vector<Site>& sites);

// What each client's own file tells the others.
std::vector<Option> site_options();
// A client with fewer rows contributes nothing to the scaling, unless all processes read one file.
Index least_rows(const ProblemRequest& request);
// Adds a notice where there are such clients; throws Error where all are.
void check_rows_for_scaling(const ProblemRequest& request, const std::vector<Site>& sites,
                            std::vector<std::string>& notices);

// What a reader of the sites' sizes and classes should know, and of keys and files without effect. `classes`:
// the names of the labels, which are 0, 1 …; empty: a label is its own name.
void note_sites(const ProblemRequest& request, const std::vector<Site>& sites,
                const std::vector<std::string>& classes, std::vector<std::string>& notices);

}  // namespace doc2s
