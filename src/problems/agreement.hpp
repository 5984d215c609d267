#pragma once
#include <map>
#include <string>
#include <vector>

#include "kinds.hpp"

// What the processes of one experiment tell each other of their data. Each function is called by all of them.
namespace doc2s {

// The largest of all processes' numbers.
Index largest(Processes& processes, Index mine);

// All processes read the same file: refuses it where one of them found something else.
void require_same_data(Processes& processes, const std::string& source, Index features,
                       std::span<const double> labels);

// What is told of a client's file where each client has its own.
struct Site {
  std::vector<Index> shape;  // {features} of sparse samples, {channels, height, width, classes} of images
  std::map<double, Index> labels;  // how many samples have each

  Index samples() const;
};
Site site_of(std::vector<Index> shape, std::span<const double> labels);

// Every client's, from those of the clients that are here.
std::vector<Site> all_sites(const ProblemRequest& request, const std::vector<Site>& here);
Split split_of(const std::vector<Site>& sites);
Index samples_of(const std::vector<Site>& sites);

// What the user should know where clients.partition was given all the same; else "".
std::string unused_partition_notice(const ProblemRequest& request);

}  // namespace doc2s
