// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "catalogue/catalogue.hpp"
#include "doc2s/base/error.hpp"
#include "table_data.hpp"

namespace doc2s {

namespace {

// Text that only its ending tells from images.
bool is_libsvm_path(std::string path) {
  for (const char* packed : {".gz", ".bz2", ".xz", ".zst"})
    if (path.ends_with(packed)) path.resize(path.size() - std::string(packed).size());
  return path.ends_with(".svm") || path.ends_with(".libsvm") || path.ends_with(".txt");
}

// The value where the data is a table; else the option's fallback.
Option::Derived where_table(Value value) {
  return [=](const Config& config) {
    return is_table_data(config.problem) ? std::optional(value) : std::nullopt;
  };
}

}  // namespace

bool is_table_data(const Settings& problem) {
  const std::string& data = problem.text("data");
  if (problem.text("name") == "resnet18") return false;
  if (problem.text("name") == "svm" || is_table_path(data)) return is_table_path(data);
  const DataSet* set = data_set_named(data);
  return set ? set->form == DataSet::Form::libsvm : is_libsvm_path(data);
}

Option::Derived where_table(Value value, std::optional<Value> otherwise) {
  return
      [=](const Config& config) { return is_table_data(config.problem) ? std::optional(value) : otherwise; };
}

std::vector<Option> table_options() {
  return {text_option("target", std::nullopt,
                      "what a table's label column holds: classes of any names, or numbers (regression); "
                      "default: class")
              .one_of({"class", "number"})
              .derived_by(where_table("class")),
          text_option("label", std::nullopt,
                      "a table's label column, by its name or its number from 1; default: the last"),
          text_option("header", std::nullopt,
                      "whether the first line of a CSV file names the columns; default: auto, yes if no "
                      "field of it is a number")
              .one_of({"auto", "yes", "no"})
              .derived_by(where_table("auto")),
          texts_option("ignore",
                       "columns of a CSV file that are left out, by name or number from 1, such as "
                       "[\"id\", \"date\"]"),
          text_option("missing", std::nullopt,
                      "where a cell of a CSV file has no value (empty, ?, NA, N/A, NaN or null): refuse the "
                      "file, drop the row, or take the column's mean over the training rows; default: refuse")
              .one_of({"refuse", "drop", "mean"})
              .derived_by([](const Config& config) {
                return is_csv_path(config.problem.text("data")) ? std::optional<Value>("refuse")
                                                                : std::nullopt;
              })};
}

Option scaling_option(std::vector<std::string> choices, std::optional<std::string> otherwise,
                      std::string help) {
  return text_option("scaling", std::move(otherwise), std::move(help))
      .one_of(std::move(choices))
      .derived_by(where_table("standardise"));
}

namespace {

bool has_numbers(const Settings& problem) {
  return problem.has("target") && problem.text("target") == "number";
}

const std::vector<std::string> loss_names = {"cross_entropy", "mse", "mae", "huber"};  // in the order of Loss

}  // namespace

std::vector<Option> loss_options(std::optional<std::string> of_classes, std::string help) {
  const auto loss = [](const Config& config) {
    return has_numbers(config.problem) ? std::optional<Value>("mse") : std::nullopt;
  };
  return {text_option("loss", std::move(of_classes), std::move(help)).one_of(loss_names).derived_by(loss),
          real_option("huber_delta", std::nullopt,
                      "distance at which the loss huber turns from squares to absolute values; default: 1")
              .above(0)
              .only_where("loss", "huber")
              .derived_by([](const Config&) { return std::optional<Value>(1.0); })};
}

LossRule loss_rule(const Settings& problem) {
  LossRule rule;
  if (!problem.has("loss")) return rule;
  const auto name = std::find(loss_names.begin(), loss_names.end(), problem.text("loss"));
  rule.loss = static_cast<Loss>(name - loss_names.begin());
  if (rule.loss == Loss::huber) rule.delta = problem.real("huber_delta");
  if (rule.loss == Loss::cross_entropy && has_numbers(problem))
    throw Error("the loss cross_entropy is for classes, and target is \"number\"", problem.where("loss"),
                "take mse, mae or huber");
  return rule;
}

void refuse_table_keys(const Settings& problem, const std::vector<std::string>& keys) {
  for (const auto& key : keys)
    if (problem.given(key))
      throw Error(fmt::format("{} is for tables, and {} is none", key, problem.text("data")),
                  problem.where(key), "leave it out, or give a file that ends in .csv, .npy or .npz");
}

}  // namespace doc2s
