// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "svm_data.hpp"
#include "table_data.hpp"

namespace doc2s {

namespace {

void refuse_numbers(const Settings& problem) {
  if (problem.text("target") == "number")
    throw Error("the svm tells two classes apart, and target is \"number\"", problem.where("target"),
                "for a linear model of numbers take name = \"mlp\" with hidden = [] and loss = \"huber\"");
}

void require_two_classes(const std::vector<std::string>& classes, const std::string& source) {
  if (classes.size() == 1)
    throw Error(
        fmt::format("every row has the class {}, so there is nothing to tell apart", printable(classes[0])),
        source, "name the column of the classes with problem.label, or add rows of another class");
  if (classes.size() != 2)
    throw Error(fmt::format("the svm is for two classes, and problem.label has {}: {}", classes.size(),
                            joined(classes)),
                source, "take name = \"mlp\", with hidden = [] for a linear model");
}

}  // namespace

SvmData svm_table_data(const ProblemRequest& request) {
  refuse_numbers(request.problem);
  TableData table = table_data(request);
  const std::vector<std::string>& classes = table.preprocessing.classes;
  require_two_classes(classes, table.source);
  const bool with_zeros = request.problem.text("scaling") != "none";
  SvmData data;
  data.train = samples_of(table.train, with_zeros);
  data.train.source = table.source;
  data.test = samples_of(table.test, with_zeros);
  for (const Table& part : table.validation) data.validation.push_back(samples_of(part, with_zeros));
  data.notices = std::move(table.notices);
  data.local_notices = std::move(table.local_notices);
  data.notices.push_back(
      fmt::format("the class {} counts as -1 and {} as +1", printable(classes[0]), printable(classes[1])));
  data.shares = std::move(table.shares);
  data.rows = std::move(table.rows);
  data.samples = table.samples;
  data.split = std::move(table.split);
  data.source = table.source;
  data.preprocessing = std::move(table.preprocessing);
  return data;
}

}  // namespace doc2s
