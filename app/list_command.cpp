#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "commands.hpp"
#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"
#include "problems/kinds.hpp"

namespace doc2s::app {

namespace {

void print_kind(const Kind& kind) {
  std::string options;
  for (const auto& option : kind.options) options += (options.empty() ? "" : ", ") + option.name;
  fmt::print("{:<16} {}{}\n", kind.name, kind.summary, options.empty() ? "" : "  [" + options + "]");
}

template <class Kinds>
void print_kinds(const Kinds& kinds) {
  for (const auto& kind : kinds) print_kind(kind);
}

std::string whereabouts(const DataSet& set) {
  const FoundSet found = find_set(set);
  return found.files.empty() ? "not found here" : found.files.front().path;
}

void print_data_sets() {
  for (const auto& set : catalogue())
    fmt::print("{:<16} {}{}\n", set.name, set.summary, set.built_in() ? "" : "  (" + whereabouts(set) + ")");
}

}  // namespace

const std::vector<std::string>& list_topics() {
  static const std::vector<std::string> topics = {"methods", "problems", "graphs", "weights", "datasets"};
  return topics;
}

int list_command(const std::string& topic) {
  const auto& topics = list_topics();
  if (std::find(topics.begin(), topics.end(), topic) == topics.end())
    throw Error(fmt::format("there is no list of \"{}\"", topic), "list", suggestion(topic, topics));
  if (topic == "methods") print_kinds(method_kinds());
  if (topic == "problems") print_kinds(problem_kinds());
  if (topic == "graphs") print_kinds(graph_kinds());
  if (topic == "weights") print_kinds(weights_kinds());
  if (topic == "datasets") print_data_sets();
  return 0;
}

}  // namespace doc2s::app
