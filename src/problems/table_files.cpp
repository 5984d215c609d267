// SPDX-License-Identifier: Apache-2.0
#include "table_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "data/table_targets.hpp"
#include "doc2s/base/error.hpp"
#include "partition/sites.hpp"
#include "table_data.hpp"
#include "validation.hpp"

namespace doc2s {

namespace {

using Missing = TableRequest::Missing;

TableRequest::Header header_named(const std::string& name) {
  using enum TableRequest::Header;
  return name == "yes" ? yes : name == "no" ? no : automatic;
}

TableRequest::Target target_named(const std::string& name) {
  return name == "number" ? TableRequest::Target::number : TableRequest::Target::class_name;
}

Missing missing_named(const std::string& name) {
  return name == "drop" ? Missing::drop : name == "mean" ? Missing::keep : Missing::refuse;
}

TableRequest table_request(const Settings& problem, TableFaults& faults) {
  TableRequest request{.target = target_named(problem.text("target")),
                       .label = problem.has("label") ? problem.text("label") : "",
                       .header = header_named(problem.text("header"))};
  if (problem.has("ignore")) request.ignore = problem.texts("ignore");
  if (problem.has("missing")) request.missing = missing_named(problem.text("missing"));
  request.faults = &faults;
  return request;
}

void refuse_keys_of_csv(const Settings& problem) {
  if (is_csv_path(problem.text("data"))) return;
  for (const char* key : {"ignore", "missing"})
    if (problem.given(key))
      throw Error(fmt::format("{} is for CSV files, and {} is none", key, problem.text("data")),
                  problem.where(key), "leave it out, or write the table as .csv");
}

// Every process must call this, whatever faults its files have: a file that could not be read may have any
// column.
void check_ignored(const ProblemRequest& request, const std::vector<Table>& tables) {
  if (!request.problem.has("ignore")) return;
  std::set<std::string> there;
  for (const Table& table : tables) there.insert(table.ignored.begin(), table.ignored.end());
  std::string mine;
  for (const std::string& name : request.problem.texts("ignore"))
    mine += tables.empty() || there.contains(name) ? '1' : '0';
  const auto all = request.processes.gather(mine);
  for (std::size_t k = 0; k < mine.size(); ++k) {
    if (std::ranges::any_of(all, [&](const std::string& theirs) { return theirs.at(k) == '1'; })) continue;
    const std::string& name = request.problem.texts("ignore")[k];
    throw Error(fmt::format("no file has the column {}", printable(name)), request.problem.where("ignore"),
                tables.empty() ? "" : suggested_column(name, tables[0].columns));
  }
}

}  // namespace

TableFiles read_table_files(const ProblemRequest& request) {
  const Settings& problem = request.problem;
  refuse_keys_of_csv(problem);
  const std::string& name = problem.text("data");
  TableFaults faults;
  const TableRequest how = table_request(problem, faults);
  TableFiles files;
  std::string test;
  if (is_site_pattern(name)) {
    files.source = absolute_pattern(name);
    for (int client = request.here.first; client < request.here.end(); ++client)
      faults.collect([&] { files.train.push_back(read_table(existing_site_path(name, client), how)); });
  } else {
    const DataFiles found = find_data(name);
    files.source = found.train, test = found.test;
    faults.collect([&] { files.train.push_back(read_table(found.train, how)); });
  }
  if (problem.has("test")) test = find_data(problem.text("test")).train;
  if (!test.empty() && request.processes.is_first())
    faults.collect([&] { files.test = read_table(test, how); });
  const std::string validation = validation_data(problem);
  if (!validation.empty() && request.processes.is_first())
    faults.collect([&] { files.validation = read_table(find_data(validation).train, how); });
  faults.collect([&] { check_ignored(request, files.train); });
  faults.refuse_if_any();
  return files;
}

TableRequest new_rows_request(const Preprocessing& how) {
  TableRequest request{.target = target_named(how.target),
                       .label = how.label,
                       .header = header_named(how.header),
                       .ignore = how.ignore,
                       .missing = missing_named(how.missing),
                       .only = how.columns};
  request.features_alone = std::ssize(how.columns);
  return request;
}

namespace {

std::string file_name(const Table& table) { return std::filesystem::path(table.source).filename().string(); }

std::vector<const Table*> all_of(const TableFiles& files) {
  std::vector<const Table*> all;
  for (const Table& table : files.train) all.push_back(&table);
  for (const Table* more : {&files.test, &files.validation})
    if (!more->source.empty()) all.push_back(more);
  return all;
}

// "a.csv", or "a.csv and 3 more files".
std::string names_of_those(const std::vector<const Table*>& all, bool (*is_one)(const Table&)) {
  Index number = 0;
  std::string first;
  for (const Table* table : all) {
    if (!is_one(*table)) continue;
    if (number++ == 0) first = file_name(*table);
  }
  if (number > 1) first += fmt::format(" and {} more file{}", number - 1, number == 2 ? "" : "s");
  return first;
}

void note_form(const std::vector<const Table*>& all, std::vector<std::string>& notes) {
  const auto semicolons = names_of_those(all, [](const Table& table) { return table.has_semicolons; });
  const auto commas = names_of_those(all, [](const Table& table) { return table.has_decimal_commas; });
  if (!semicolons.empty())
    notes.push_back(fmt::format("semicolons separate the columns of {}{}", semicolons,
                                commas.empty() ? "" : ", and numbers have decimal commas (1,5 is 1.5)"));
}

void note_no_header(const std::vector<const Table*>& all, std::vector<std::string>& notes) {
  const auto headless = names_of_those(all, [](const Table& table) { return !table.has_header; });
  if (!headless.empty())
    notes.push_back(
        fmt::format("the first line of {} has numbers, so it is a row and columns go by their numbers; "
                    "column {} is the target (problem.header, problem.label)",
                    headless, all[0]->label));
}

// The column that most often has no value, over these tables.
std::string most_missing(const std::vector<const Table*>& all) {
  std::map<std::string, Index> cells;
  for (const Table* table : all)
    for (std::size_t j = 0; j < table->missing.size(); ++j) cells[table->columns[j]] += table->missing[j];
  const auto most = std::ranges::max_element(cells, {}, [](const auto& one) { return one.second; });
  return most == cells.end() || most->second == 0
             ? ""
             : fmt::format("; most of one column, {}, in {}", most->second, printable(most->first));
}

void note_missing(const std::vector<const Table*>& all, const std::string& missing,
                  std::vector<std::string>& notes) {
  Index rows = 0, left_out = 0, cells = 0;
  for (const Table* table : all) {
    left_out += table->left_out;
    rows += table->rows + table->left_out;
    cells = std::accumulate(table->missing.begin(), table->missing.end(), cells);
  }
  if (cells == 0 && left_out == 0) return;
  if (missing == "drop")
    notes.push_back(fmt::format("problem.missing = \"drop\" leaves {} of {} rows out{}", left_out, rows,
                                most_missing(all)));
  else
    notes.push_back(fmt::format("problem.missing = \"mean\" fills {} cell{} of {} rows{}", cells,
                                cells == 1 ? "" : "s", rows, most_missing(all)));
}

// Whole numbers, another one in each row.
bool numbers_rows(const Table& table, Index feature) {
  std::set<double> met;
  for (Index row = 0; row < table.rows; ++row) {
    const double value = table.values[row * table.features() + feature];
    if (value != std::floor(value) || !met.insert(value).second) return false;
  }
  return true;
}

void note_ids(const std::vector<Table>& tables, std::vector<std::string>& notes) {
  constexpr Index fewest = 20;
  Index rows = 0;
  for (const Table& table : tables) rows += table.rows;
  if (rows < fewest) return;
  for (const std::string& name : tables[0].columns)
    if (std::ranges::all_of(tables, [&](const Table& table) {
          const auto place = std::ranges::find(table.columns, name) - table.columns.begin();
          return place < table.features() && numbers_rows(table, place);
        }))
      notes.push_back(
          fmt::format("the column {} has another whole number in every row, as an id has; if it is one, set "
                      "problem.ignore = {}",
                      printable(name), to_toml(Texts{name})));
}

}  // namespace

std::vector<std::string> notes_of(const TableFiles& files, const Settings& problem) {
  std::vector<std::string> notes;
  if (!is_csv_path(problem.text("data"))) return notes;
  const auto all = all_of(files);
  if (all.empty()) return notes;
  note_form(all, notes);
  if (problem.text("header") == "auto") note_no_header(all, notes);
  note_missing(all, problem.text("missing"), notes);
  if (!files.train.empty()) note_ids(files.train, notes);
  return notes;
}

std::vector<std::string> notes_of_new(const Table& table, const Preprocessing& how) {
  std::vector<std::string> notes;
  note_form({&table}, notes);
  note_missing({&table}, how.missing, notes);
  if (!table.not_used.empty())
    notes.push_back(fmt::format("the model does not use the column{} {}",
                                table.not_used.size() == 1 ? "" : "s", joined(table.not_used)));
  return notes;
}

}  // namespace doc2s
