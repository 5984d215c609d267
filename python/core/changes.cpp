// SPDX-License-Identifier: Apache-2.0
#include "changes.hpp"

#include "results.hpp"

namespace doc2s::python {

std::vector<Setting> settings_in(const py::list& settings) {
  std::vector<Setting> all;
  for (const py::handle& setting : settings) {
    const auto parts = setting.cast<py::tuple>();
    const auto where = parts[2].cast<std::string>();
    all.push_back({parts[0].cast<std::string>(), value_from(parts[1], where), where});
  }
  return all;
}

Changes changes_in(const py::list& settings) {
  Changes changes;
  for (const auto& [key, value, where] : settings_in(settings))
    changes.push_back({key, to_toml(value), where});
  return changes;
}

}  // namespace doc2s::python
