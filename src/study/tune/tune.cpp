// SPDX-License-Identifier: Apache-2.0
#include "tune.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/long_work.hpp"
#include "doc2s/base/error.hpp"
#include "method_search.hpp"
#include "run/budget.hpp"
#include "run/run_directory.hpp"
#include "study/own_folder.hpp"
#include "tune_files.hpp"

namespace doc2s {

namespace {

constexpr const char* request_file = "request.txt";
constexpr Index smallest_budget = 16;  // so that the first of five rungs is one

Index amount_in(const std::string& word, const std::string& where) {
  double amount = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), amount);
  if (error != std::errc() || end != word.data() + word.size() || !(amount >= smallest_budget) ||
      amount > 1e15 || amount != static_cast<double>(static_cast<Index>(amount)))
    throw Error("is not of the form count=number", where,
                "give a whole number of at least 16, for example --budget samples=64000");
  return static_cast<Index>(amount);
}

void refuse_shared_folders(const std::vector<Config>& configs) {
  std::map<std::string, std::string> labels;  // by folder
  for (const Config& config : configs) {
    const std::string label = config.method.text("label");
    const auto [first, is_new] = labels.emplace(folder_name(label), label);
    if (!is_new)
      throw Error("the labels \"" + first->second + "\" and \"" + label + "\" would share a folder",
                  config.method.where("label"), "give another label");
  }
}

}  // namespace

TuneBudget tune_budget(const std::string& text) {
  const std::string where = "--budget " + text;
  const auto equals = text.find('=');
  const std::string axis = text.substr(0, equals);
  std::vector<std::string> axes;
  for (const BudgetAxis& one : budget_axes())
    if (one.name != "seconds") axes.push_back(one.name);
  if (axis == "seconds")
    throw Error("seconds differ from run to run, so the result could not be had again", where,
                "give a budget of samples or rounds");
  if (std::ranges::count(axes, axis) == 0) refuse_name(axis, axes, where);
  return {axis, amount_in(equals == text.npos ? "" : text.substr(equals + 1), where)};
}

std::optional<Tuned> tune(const TuneRequest& request, const TuneOptions& options) {
  refuse_shared_folders(request.configs);
  check_asked(request.configs, request.fixed, request.over);
  const std::string text = request_text(request);
  check_folder(request.root, request_file, text, "doc2s tune",
               "a tune of another config, budget, measure, range or number of trials");
  std::vector<MethodSearch> searches;
  for (const Config& config : request.configs) searches.emplace_back(request, options, config).check();
  claim_folder(request.root, request_file, text);
  const DirectoryLock lock(request.root);
  Tuned tuned;
  for (MethodSearch& search : searches) {
    auto method = search.carry_out();
    if (!method) return std::nullopt;
    tuned.methods.push_back(std::move(*method));
  }
  const Listener listener(nullptr, options.on_going);
  write_tuned(request, tuned);
  return tuned;
}

}  // namespace doc2s
