// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/long_work.hpp"
#include "shares.hpp"
#include "svm_data.hpp"

namespace doc2s {

namespace {

// Of so many clients only some are asked for losses, and most rows never: making them all, some microseconds
// each, would take most of a short run.
constexpr int many_clients = 10'000;
constexpr double most_kept_of_many = 1 << 22;  // non-zeros: 100 MB

// Of few clients every record asks for all rows, so they are kept where they fit: 2²⁸ non-zeros take 6 GB.
// All processes must decide alike, so this does not depend on the machine's memory.
constexpr double most_kept_of_few = 1 << 28;

std::vector<double> labels_of(const SyntheticRows& rows) {
  std::vector<double> labels;
  SyntheticRow made;
  const LongWork work("drawing the labels of synthetic data");
  for (Index row = 0; row < rows.shape().size; ++row) {
    if (row % 1024 == 0) work.go_on(static_cast<double>(row) / static_cast<double>(rows.shape().size));
    rows.make(row, made);
    labels.push_back(made.label);
  }
  return labels;
}

// Empties the parts of clients in other processes.
void drop_foreign_parts(Parts& parts, ClientRange here) {
  const Index begin = parts.first[here.first], end = parts.first[here.end()];
  parts.rows = {parts.rows.begin() + begin, parts.rows.begin() + end};
  for (Index& first : parts.first) first = std::clamp(first, begin, end) - begin;
}

}  // namespace

bool is_made_when_asked(const ProblemRequest& request) {
  if (request.problem.text("data") != "synthetic") return false;
  const SyntheticShape shape = synthetic_shape(request.problem);
  const double entries =
      static_cast<double>(shape.size) * static_cast<double>(shape.dimension) * shape.sparsity;
  const bool many = request.clients.integer("count") > many_clients;
  return entries > (many ? most_kept_of_many : most_kept_of_few);
}

MadeSvmData made_svm_data(const ProblemRequest& request) {
  MadeSvmData data;
  data.rows = std::make_shared<SyntheticRows>(synthetic_shape(request.problem), request.seed);
  std::string notice;
  data.parts = make_parts(
      data.rows->shape().size, request.seed, [&] { return labels_of(*data.rows); }, request.clients, notice);
  if (!notice.empty()) data.notices.push_back(notice);
  if (request.here.count < std::ssize(data.parts.first) - 1) drop_foreign_parts(data.parts, request.here);
  return data;
}

}  // namespace doc2s
