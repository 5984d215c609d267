// SPDX-License-Identifier: Apache-2.0
#include "table_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "agreement.hpp"
#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "data/table_readers.hpp"
#include "doc2s/base/error.hpp"
#include "partition/sites.hpp"
#include "shares.hpp"
#include "table_files.hpp"
#include "table_scaling.hpp"
#include "validation.hpp"

namespace doc2s {

namespace {

// Also to fill what is missing.
bool needs_statistics(const Settings& problem) {
  return problem.text("scaling") == "standardise" ||
         (problem.has("missing") && problem.text("missing") == "mean");
}

bool has_numbers(const ProblemRequest& request) { return request.problem.text("target") == "number"; }

// The rows of each client here that hold_back took, as tables of their own.
std::vector<Table> held_tables(const Table& table, const Shares& held, ClientRange here) {
  std::vector<Table> tables;
  if (held.empty()) return tables;
  for (int client = here.first; client < here.end(); ++client) tables.push_back(rows_of(table, held[client]));
  return tables;
}

// One common file, split by the partition. Returns the names of its classes.
std::vector<std::string> take_common_table(const ProblemRequest& request, Table table, TableData& data) {
  data.train = std::move(table);
  data.samples = data.train.count();
  require_same_data(request.processes, data.source, data.train.features(), data.train.targets);
  std::string notice;
  data.shares = make_partition({data.train.targets, static_cast<int>(request.clients.integer("count")),
                                request.seed, has_numbers(request)},
                               request.clients, notice);
  if (!notice.empty()) data.notices.push_back(notice);
  const Shares held = hold_back(request, data.shares);
  for (const auto& rows : held) data.samples -= std::ssize(rows);
  if (!has_numbers(request)) data.split = split_of(data.train.targets, data.shares);
  data.validation = held_tables(data.train, held, request.here);
  drop_foreign(data.shares, request.here);
  for (const auto& rows : data.shares) data.rows.push_back(places_of(data.train, rows));
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
  const auto rows = rows_from(0, table.count());
  data.shares[client] = rows_from(data.train.count(), table.count());
  data.rows[client] = places_of(table, rows);
  append(data.train, table);
}

// One file per client. A process opens only those of its own clients.
std::vector<std::string> take_site_tables(const ProblemRequest& request, std::vector<Table> tables,
                                          TableData& data) {
  data.rows = data.shares = Shares(static_cast<std::size_t>(request.clients.integer("count")));
  std::vector<Table*> of_client(data.shares.size());
  for (std::size_t k = 0; k < tables.size(); ++k) of_client[request.here.first + k] = &tables[k];
  for (int client = request.here.first; client < request.here.end(); ++client)
    data.shares[client] = rows_from(0, of_client[client]->count());
  const Shares held = hold_back(request, data.shares);
  std::vector<Site> here;
  for (int client = request.here.first; client < request.here.end(); ++client) {
    Table& table = *of_client[client];
    if (!held.empty()) {
      data.validation.push_back(rows_of(table, held[client]));
      keep_rows(table, data.shares[client]);
    }
    here.push_back(site_of(table, has_numbers(request)));
  }
  std::vector<Site> sites = all_sites(request, here);
  const auto columns = agreed_columns(sites, !is_table_path(data.source));
  const auto classes = has_numbers(request) ? std::vector<std::string>{} : agree_on_classes(sites);
  TableFaults faults;
  for (int client = request.here.first; client < request.here.end(); ++client)
    faults.collect([&] { arrange(*of_client[client], columns, "client 0 has"); });
  faults.refuse_if_any();
  for (int client = request.here.first; client < request.here.end(); ++client) {
    rename_classes(*of_client[client], classes);
    hold_site(*of_client[client], client, data);
  }
  data.samples = samples_of(sites);
  if (!has_numbers(request)) data.split = split_of(request, sites);
  if (needs_statistics(request.problem)) check_rows_for_scaling(request, sites, data.notices);
  note_sites(request, sites, classes, data.notices);
  return classes;
}

// Test and validation samples have the columns and classes of the training samples.
void take_table(Table& table, TableData& data) {
  if (table.count() == 0) return;
  rename_classes(table, data.preprocessing.classes);
  arrange(table, data.preprocessing.columns, "the training samples have");
}

// In LIBSVM text any file may have features that the others have not.
void agree_on_features(const ProblemRequest& request, const TableFiles& files, TableData& data) {
  if (is_table_path(data.source)) return;
  Index most = data.train.features();
  for (const Table* table : {&files.test, &files.validation}) most = std::max(most, table->features());
  data.preprocessing.columns = numbered_table("", 0, largest(request.processes, most)).columns;
}

void take_other_tables(const ProblemRequest& request, TableFiles& files, TableData& data) {
  const Settings& problem = request.problem;
  agree_on_features(request, files, data);
  arrange(data.train, data.preprocessing.columns, "the test samples have");
  data.test = std::move(files.test);
  if (problem.has("test_images") && data.test.count() > 0)
    keep_rows(data.test, rows_from(0, std::min(data.test.count(), problem.integer("test_images"))));
  take_table(data.test, data);
  if (files.validation.count() > 0) data.validation.push_back(std::move(files.validation));
  for (Table& table : data.validation) take_table(table, data);
}

void each_table(TableData& data, const std::function<void(Table&)>& act) {
  act(data.train);
  act(data.test);
  for (Table& table : data.validation) act(table);
}

void fit_and_scale(const ProblemRequest& request, TableData& data) {
  const std::string& scaling = request.problem.text("scaling");
  if (scaling == "unit")
    throw Error("scaling \"unit\" is for pixels from 0 to 255, and the data is a table",
                request.problem.where("scaling"), "take \"standardise\" or \"none\"");
  if (!needs_statistics(request.problem)) return;
  auto [mean, deviation] = feature_scaling(request.processes, data.train, data.shares, least_rows(request));
  Preprocessing& how = data.preprocessing;
  if (how.missing == "mean") how.fill = mean;
  each_table(data, [&](Table& table) { fill(table, how.fill); });
  if (scaling == "none") return;
  how.mean = std::move(mean);
  how.deviation = std::move(deviation);
  each_table(data, [&](Table& table) { scale(table, how.mean, how.deviation); });
}

Preprocessing preprocessing_of(const Settings& problem, const TableData& data) {
  Preprocessing how;
  how.problem = problem.text("name");
  how.data = "table";
  how.target = problem.text("target");
  how.columns = data.train.columns;
  how.label = data.train.label;
  how.header = problem.text("header");
  if (problem.has("ignore")) how.ignore = problem.texts("ignore");
  if (problem.has("missing") && problem.text("missing") != "refuse") how.missing = problem.text("missing");
  return how;
}

}  // namespace

TableData table_data(const ProblemRequest& request) {
  TableFiles files = read_table_files(request);
  TableData data;
  data.source = files.source;
  auto& notices = request.processes.is_first() ? data.notices : data.local_notices;
  notices = notes_of(files, request.problem);
  const auto classes = is_site_pattern(request.problem.text("data"))
                           ? take_site_tables(request, std::move(files.train), data)
                           : take_common_table(request, std::move(files.train[0]), data);
  data.preprocessing = preprocessing_of(request.problem, data);
  data.preprocessing.classes = classes;
  take_other_tables(request, files, data);
  data.preprocessing.shape = {std::ssize(data.preprocessing.columns)};
  if (!data.split.labels.empty()) data.split.labels = classes;
  fit_and_scale(request, data);
  return data;
}

Table new_rows(const std::string& path, const Preprocessing& how) {
  Table table = read_table(path, new_rows_request(how));
  arrange(table, how.columns, "the training samples have");
  if (!table.targets.empty()) rename_classes(table, how.classes);
  fill(table, how.fill);
  scale(table, how.mean, how.deviation);
  return table;
}

}  // namespace doc2s
