// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "competitors.hpp"

namespace doc2s::bench {

Samples read_by_strtod(const std::string& path) {
  Samples samples;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    char* at = line.data();
    samples.labels.push_back(std::strtod(at, &at));
    while (*at == ' ') {
      const long index = std::strtol(at, &at, 10);
      samples.columns.push_back(static_cast<std::int32_t>(index - 1));
      samples.values.push_back(std::strtod(at + 1, &at));
      samples.dimension = std::max<Index>(samples.dimension, index);
    }
    samples.offsets.push_back(static_cast<Index>(samples.columns.size()));
  }
  return samples;
}

namespace {

void name_columns(const std::string& header, Table& table) {
  std::istringstream names(header);
  for (std::string name; std::getline(names, name, ',');) table.columns.push_back(name);
  table.columns.pop_back();
}

// From the classes in the order of their names to places.
void number_classes(const std::vector<std::string>& names, Table& table) {
  std::map<std::string, double> places;
  for (const auto& name : names) places[name] = 0;
  for (auto& [name, place] : places) {
    place = static_cast<double>(table.classes.size());
    table.classes.push_back(name);
  }
  for (const auto& name : names) table.targets.push_back(places[name]);
}

}  // namespace

Table read_csv_by_strtod(const std::string& path) {
  Table table;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  name_columns(line, table);
  std::vector<std::string> classes;
  for (; std::getline(file, line); ++table.rows) {
    char* at = line.data();
    for (Index column = 0; column < table.features(); ++column, ++at)
      table.values.push_back(std::strtod(at, &at));
    classes.emplace_back(at);
  }
  number_classes(classes, table);
  return table;
}

}  // namespace doc2s::bench
