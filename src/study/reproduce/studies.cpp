// SPDX-License-Identifier: Apache-2.0
#include "study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "doc2s/base/error.hpp"
#include "measurement.hpp"
#include "problems/torch.hpp"
#include "tasks.hpp"

namespace doc2s {

namespace {

const std::vector<std::string> scale_names = {"smoke", "quick", "page", "full"};

// "ablation-gap" asks for "ablation-gap-mnist-first".
bool asks_for(const std::string& word, const std::string& name) {
  return name == word || name.starts_with(word + "-");
}

[[noreturn]] void refuse_figure(const std::string& word, const std::vector<Study>& all) {
  std::vector<std::string> names = {"all"};
  for (const auto& one : measurements()) names.push_back(one.name);
  for (const auto& study : all)
    for (const auto& view : study.views) names.push_back(view.figure);
  const std::string near = nearest(word, names);
  throw Error(
      fmt::format("there is no figure {}", printable(word)), "reproduce",
      (near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near)) + "doc2s reproduce --list shows all");
}

Config config_of(const Study& study) {
  return parse_configs(study.config, study.name, study.lines.front().changes).front();
}

// nullptr where the samples are made up.
const DataSet* data_set_of(const Config& config) {
  const DataSet* set = data_set_named(config.problem.text("data"));
  return set && !set->built_in() ? set : nullptr;
}

}  // namespace

Scale scale_named(const std::string& name) {
  const auto found = std::find(scale_names.begin(), scale_names.end(), name);
  if (found == scale_names.end()) refuse_name(name, scale_names, "--scale");
  return static_cast<Scale>(found - scale_names.begin());
}

std::string name_of(Scale scale) { return scale_names[static_cast<std::size_t>(scale)]; }

std::vector<Study> studies(Scale scale) {
  std::vector<Study> all = comparisons(scale);
  for (const auto& more : {maps(scale), ablations(scale), links_studies(scale)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Study> studies_named(const std::string& word, Scale scale) {
  std::vector<Study> chosen;
  const std::vector<Study> all = studies(scale);
  for (Study study : all) {
    const bool whole = word == "all" ? study.of_paper : asks_for(word, study.name);
    const auto rest = std::stable_partition(study.views.begin(), study.views.end(), [&](const View& view) {
      return whole || asks_for(word, view.figure);
    });
    study.asked = static_cast<std::size_t>(rest - study.views.begin());
    if (study.asked > 0) chosen.push_back(std::move(study));
  }
  if (chosen.empty()) refuse_figure(word, all);
  return chosen;
}

std::string obstacle(const Study& study) {
  const Config config = config_of(study);
  const DataSet* set = data_set_of(config);
  if (set && find_set(*set).files.empty())
    return fmt::format("the data set {0} is not installed; doc2s data get {0} fetches it", set->name);
  if (config.problem.text("name") == "resnet18" && !has_torch())
    return "this doc2s was built without libtorch; install the package doc2s-torch, or start it through "
           "./doc2s, which builds it";
  return "";
}

std::string title_here(const Study& study) {
  const DataSet* set = data_set_of(config_of(study));
  if (!set) return study.title + " (synthetic)";
  const FoundSet found = find_set(*set);
  Index upstream = 0, here = 0;
  for (const auto& file : set->files)
    if (file.part == DataFile::Part::train && !file.stand_in()) upstream += file.records;
  for (const auto& file : found.files)
    if (file.file->part == DataFile::Part::train) here += file.file->records;
  return here == upstream ? study.title : fmt::format("{} (subset, {} samples)", study.title, here);
}

}  // namespace doc2s
