// SPDX-License-Identifier: Apache-2.0
#include "agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "partition/sites.hpp"

namespace doc2s {

using Json = nlohmann::json;

Index largest(Processes& processes, Index mine) {
  return std::ranges::max(gathered<Index>(processes, {mine}));
}

void require_same_data(Processes& processes, const std::string& source, Index features,
                       std::span<const double> labels) {
  if (processes.count() == 1) return;
  const std::string_view bytes(reinterpret_cast<const char*>(labels.data()), labels.size_bytes());
  const auto all =
      processes.gather(fmt::format("{} samples of {} features with the labels' sum {}", labels.size(),
                                   features, Sha256().add(bytes).hex().substr(0, 16)));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(
          fmt::format("process {} read {}, and process 0 {}", rank, all[rank], all[0]), source,
          "put the same file on every machine, or give each client its own with {client} in the path");
}

Site site_of(std::vector<Index> shape, std::span<const double> labels) {
  Site site{.shape = std::move(shape), .rows = std::ssize(labels), .labels = {}};
  for (const double label : labels) ++site.labels[label];
  return site;
}

std::vector<Site> all_sites(const ProblemRequest& request, const std::vector<Site>& here) {
  Json mine = Json::array();
  for (const Site& site : here) {
    auto labels = site.labels;
    if (!request.problem.flag("share_labels"))
      for (auto& [label, count] : labels) count = 0;
    mine.push_back(Json::array({site.shape, site.rows, labels, site.columns, site.classes}));
  }
  std::vector<Site> all;
  for (const auto& text : request.processes.gather(mine.dump()))
    for (const Json& site : Json::parse(text))
      all.push_back({site[0].get<std::vector<Index>>(), site[1].get<Index>(),
                     site[2].get<std::map<double, Index>>(), site[3].get<std::vector<std::string>>(),
                     site[4].get<std::vector<std::string>>()});
  if (std::ssize(all) != request.clients.integer("count"))
    throw std::logic_error("the processes' clients are not all clients");
  return all;
}

Split split_of(const ProblemRequest& request, const std::vector<Site>& sites) {
  std::map<double, Index> all;
  for (const Site& site : sites) all.insert(site.labels.begin(), site.labels.end());
  Split split;
  for (const auto& [label, count] : all) split.labels.push_back(fmt::format("{}", label));
  if (!request.problem.flag("share_labels")) return split;
  for (const Site& site : sites) {
    auto& counts = split.counts.emplace_back();
    for (const auto& [label, count] : all)
      counts.push_back(site.labels.contains(label) ? site.labels.at(label) : 0);
  }
  return split;
}

Index samples_of(const std::vector<Site>& sites) {
  Index sum = 0;
  for (const Site& site : sites) sum += site.rows;
  return sum;
}

std::vector<Option> site_options() {
  const auto with_sites = [](const Config& config) {
    return is_site_pattern(config.problem.text("data")) ? std::optional<Value>(std::int64_t{10})
                                                        : std::nullopt;
  };
  return {integer_option("least_rows", std::nullopt,
                         "with one file per client: a client with fewer rows sends no statistics for the "
                         "scaling; default: 10")
              .at_least(1)
              .derived_by(with_sites),
          flag_option("share_labels", false,
                      "with one file per client: clients send their number of samples per label, for the "
                      "report's picture of the split")
              .changeable()};
}

Index least_rows(const ProblemRequest& request) {
  return is_site_pattern(request.problem.text("data")) ? request.problem.integer("least_rows") : 1;
}

void check_rows_for_scaling(const ProblemRequest& request, const std::vector<Site>& sites,
                            std::vector<std::string>& notices) {
  const Index least = least_rows(request);
  const auto few = std::ranges::count_if(sites, [&](const Site& site) { return site.rows < least; });
  if (few == std::ssize(sites))
    throw Error(fmt::format("no client has {} rows, so there are no statistics for the scaling", least),
                request.problem.where("least_rows"),
                "take a smaller number if the others may know a client's means and deviations");
  if (few > 0)
    notices.push_back(fmt::format(
        "{} of the {} clients {} fewer than {} rows (problem.least_rows), so the statistics of the "
        "others scale all",
        few, sites.size(), few == 1 ? "has" : "have", least));
}

namespace {

// "clients 1, 3 and 2 more"
std::string clients_text(const std::vector<int>& clients) {
  constexpr std::size_t most = 5;
  std::vector<std::string> numbers;
  for (std::size_t k = 0; k < std::min(most, clients.size()); ++k)
    numbers.push_back(std::to_string(clients[k]));
  return fmt::format("client{} {}{}", clients.size() == 1 ? "" : "s", joined(numbers),
                     clients.size() > most ? fmt::format(" and {} more", clients.size() - most) : "");
}

void note_single_rows(const std::vector<Site>& sites, std::vector<std::string>& notices) {
  std::vector<int> single;
  for (std::size_t client = 0; client < sites.size(); ++client)
    if (sites[client].rows == 1) single.push_back(static_cast<int>(client));
  if (!single.empty())
    notices.push_back(fmt::format("{} {} one row, so whatever is computed there is about that row alone",
                                  clients_text(single), single.size() == 1 ? "has" : "have"));
}

void note_lone_classes(const std::vector<Site>& sites, const std::vector<std::string>& classes,
                       std::vector<std::string>& notices) {
  std::map<double, std::vector<int>> where;
  for (std::size_t client = 0; client < sites.size(); ++client)
    for (const auto& [label, count] : sites[client].labels) where[label].push_back(static_cast<int>(client));
  std::vector<std::string> lone;
  std::vector<int> clients;
  for (const auto& [label, there] : where) {
    if (there.size() != 1) continue;
    lone.push_back(
        printable(classes.empty() ? fmt::format("{}", label) : classes[static_cast<std::size_t>(label)]));
    if (std::ranges::find(clients, there[0]) == clients.end()) clients.push_back(there[0]);
  }
  if (sites.size() < 2 || lone.empty()) return;
  constexpr std::size_t most = 5;
  const std::size_t all = lone.size();
  lone.resize(std::min(most, all));
  notices.push_back(fmt::format("the class{} {}{} occur{} at one client only ({})", all == 1 ? "" : "es",
                                joined(lone), all > most ? fmt::format(" and {} more", all - most) : "",
                                all == 1 ? "s" : "", clients_text(clients)));
}

void note_unused_files(const ProblemRequest& request, std::vector<std::string>& notices) {
  const auto clients = static_cast<int>(request.clients.integer("count"));
  const std::vector<std::string> unused = sites_from(request.problem.text("data"), clients);
  if (!unused.empty())
    notices.push_back(
        fmt::format("{} matches problem.data and is not used, since clients.count is {}{}", unused[0],
                    clients, unused.size() > 1 ? fmt::format("; nor are {} more", unused.size() - 1) : ""));
}

}  // namespace

void note_sites(const ProblemRequest& request, const std::vector<Site>& sites,
                const std::vector<std::string>& classes, std::vector<std::string>& notices) {
  note_single_rows(sites, notices);
  note_lone_classes(sites, classes, notices);
  if (request.processes.is_first()) note_unused_files(request, notices);
  if (request.clients.given("partition") &&
      request.clients.text("partition") != "iid")  // as a run's own config.toml has it
    notices.push_back(fmt::format("{} is ignored because each client has its own file",
                                  request.clients.where("partition")));
}

}  // namespace doc2s
