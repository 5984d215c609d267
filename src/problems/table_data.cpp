// SPDX-License-Identifier: Apache-2.0
#include "table_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agreement.hpp"
#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "data/table_readers.hpp"
#include "doc2s/base/error.hpp"
#include "partition/sites.hpp"
#include "shares.hpp"
#include "table_scaling.hpp"

namespace doc2s {

namespace {

TableRequest table_request(const std::string& target, const std::string& label, const std::string& header) {
  using enum TableRequest::Header;
  return {.target = target == "number" ? TableRequest::Target::number : TableRequest::Target::class_name,
          .label = label,
          .header = header == "yes"  ? yes
                    : header == "no" ? no
                                     : automatic};
}

TableRequest table_request(const Settings& problem) {
  return table_request(problem.text("target"), problem.has("label") ? problem.text("label") : "",
                       problem.text("header"));
}

bool has_numbers(const ProblemRequest& request) { return request.problem.text("target") == "number"; }

// One common file, split by the partition. Returns the names of its classes.
std::vector<std::string> read_common_table(const ProblemRequest& request, const std::string& path,
                                           TableData& data) {
  data.train = read_table(path, table_request(request.problem));
  data.source = data.train.source;
  data.samples = data.train.count();
  require_same_data(request.processes, data.source, data.train.features(), data.train.targets);
  std::string notice;
  data.shares = make_partition({data.train.targets, static_cast<int>(request.clients.integer("count")),
                                request.seed, has_numbers(request)},
                               request.clients, notice);
  if (!notice.empty()) data.notices.push_back(notice);
  if (!has_numbers(request)) data.split = split_of(data.train.targets, data.shares);
  drop_foreign(data.shares, request.here);
  data.rows = data.shares;
  keep_rows(data.train, keep_local(data.shares, request.here));
  return data.train.classes;
}

Site site_of(const Table& table, bool numbers) {
  Site site{
      .shape = {}, .rows = table.count(), .labels = {}, .columns = table.columns, .classes = table.classes};
  if (!numbers)
    for (const double target : table.targets) ++site.labels[target];
  return site;
}

// Numbers the labels of all sites by the classes of all.
std::vector<std::string> agree_on_classes(std::vector<Site>& sites) {
  std::vector<std::vector<std::string>> lists;
  for (const Site& site : sites) lists.push_back(site.classes);
  const std::vector<std::string> all = joined_classes(lists);
  for (Site& site : sites) {
    std::map<double, Index> labels;
    for (const auto& [label, count] : site.labels) {
      const auto& name = site.classes[static_cast<std::size_t>(label)];
      labels[static_cast<double>(std::find(all.begin(), all.end(), name) - all.begin())] = count;
    }
    site.labels = std::move(labels);
  }
  return all;
}

// All files have the columns of client 0 or, in LIBSVM text, of the client with most.
std::vector<std::string> agreed_columns(const std::vector<Site>& sites, bool sparse) {
  return std::max_element(
             sites.begin(), sites.end(),
             [&](const Site& a, const Site& b) { return sparse && a.columns.size() < b.columns.size(); })
      ->columns;
}

void hold_site(const Table& table, int client, TableData& data) {
  data.shares[client] = rows_from(data.train.count(), table.count());
  data.rows[client] = rows_from(0, table.count());
  append(data.train, table);
}

// One file per client. A process opens only those of its own clients.
std::vector<std::string> read_site_tables(const ProblemRequest& request, TableData& data) {
  const std::string& pattern = request.problem.text("data");
  data.source = absolute_pattern(pattern);
  data.rows = data.shares = Shares(static_cast<std::size_t>(request.clients.integer("count")));
  std::vector<Table> tables;
  std::vector<Site> here;
  for (int client = request.here.first; client < request.here.end(); ++client) {
    tables.push_back(read_table(existing_site_path(pattern, client), table_request(request.problem)));
    here.push_back(site_of(tables.back(), has_numbers(request)));
  }
  std::vector<Site> sites = all_sites(request, here);
  const auto columns = agreed_columns(sites, !is_table_path(pattern));
  const auto classes = has_numbers(request) ? std::vector<std::string>{} : agree_on_classes(sites);
  for (int client = request.here.first; client < request.here.end(); ++client) {
    Table& table = tables[static_cast<std::size_t>(client - request.here.first)];
    arrange(table, columns, "client 0 has");
    rename_classes(table, classes);
    hold_site(table, client, data);
  }
  data.samples = samples_of(sites);
  if (!has_numbers(request)) data.split = split_of(request, sites);
  if (request.problem.text("scaling") == "standardise") check_rows_for_scaling(request, sites, data.notices);
  if (const auto notice = unused_partition_notice(request); !notice.empty()) data.notices.push_back(notice);
  return classes;
}

// Only the first process reads it.
void read_test_table(const ProblemRequest& request, const std::string& own, TableData& data) {
  const std::string path = request.problem.has("test") ? find_data(request.problem.text("test")).train : own;
  if (!path.empty() && request.processes.is_first()) {
    data.test = read_table(path, table_request(request.problem));
    rename_classes(data.test, data.preprocessing.classes);
    if (const Settings& problem = request.problem; problem.has("test_images"))
      keep_rows(data.test, rows_from(0, std::min(data.test.count(), problem.integer("test_images"))));
  }
  if (!is_table_path(data.source))  // either may have features that the other has not
    data.preprocessing.columns =
        numbered_table("", 0,
                       largest(request.processes, std::max(data.train.features(), data.test.features())))
            .columns;
  arrange(data.train, data.preprocessing.columns, "the test samples have");
  if (data.test.count() > 0) arrange(data.test, data.preprocessing.columns, "the training samples have");
}

void fit_and_scale(const ProblemRequest& request, TableData& data) {
  const std::string& scaling = request.problem.text("scaling");
  if (scaling == "unit")
    throw Error("scaling \"unit\" is for pixels from 0 to 255, and the data is a table",
                request.problem.where("scaling"), "take \"standardise\" or \"none\"");
  if (scaling == "none") return;
  auto [mean, deviation] = feature_scaling(request.processes, data.train, data.shares, least_rows(request));
  scale(data.train, mean, deviation);
  scale(data.test, mean, deviation);
  data.preprocessing.mean = std::move(mean);
  data.preprocessing.deviation = std::move(deviation);
}

}  // namespace

TableData table_data(const ProblemRequest& request) {
  TableData data;
  const std::string& name = request.problem.text("data");
  const bool sites = is_site_pattern(name);
  const DataFiles files = sites ? DataFiles{} : find_data(name);
  Preprocessing& how = data.preprocessing;
  how.classes = sites ? read_site_tables(request, data) : read_common_table(request, files.train, data);
  how.problem = request.problem.text("name");
  how.data = "table";
  how.target = request.problem.text("target");
  how.columns = data.train.columns;
  how.label = data.train.label;
  how.header = request.problem.text("header");
  read_test_table(request, files.test, data);
  how.shape = {std::ssize(how.columns)};
  if (!data.split.labels.empty()) data.split.labels = how.classes;
  fit_and_scale(request, data);
  return data;
}

Table new_rows(const std::string& path, const Preprocessing& how) {
  TableRequest request = table_request(how.target, how.label, how.header);
  request.features_alone = std::ssize(how.columns);
  Table table = read_table(path, request);
  arrange(table, how.columns, "the training samples have");
  if (!table.targets.empty()) rename_classes(table, how.classes);
  scale(table, how.mean, how.deviation);
  return table;
}

}  // namespace doc2s
