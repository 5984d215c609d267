// SPDX-License-Identifier: Apache-2.0
#include "new_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "catalogue/catalogue.hpp"
#include "catalogue/image_files.hpp"
#include "data/libsvm.hpp"
#include "data/table_targets.hpp"
#include "doc2s/base/error.hpp"
#include "image_data.hpp"
#include "inputs_problem.hpp"
#include "table_data.hpp"
#include "table_files.hpp"

namespace doc2s {

namespace {

std::string path_of(const std::string& data) {
  const DataFiles files = find_data(data);
  return files.test.empty() ? files.train : files.test;
}

NewSamples rows_of_table(const std::string& data, const Preprocessing& how) {
  Table table = new_rows(path_of(data), how);
  NewSamples made;
  made.truth = table.targets;
  made.places = table.places;
  made.notices = notes_of_new(table, how);
  if (how.problem == "svm")
    made.samples = samples_of(table, !how.mean.empty());
  else
    made.inputs = inputs_of(std::move(table), how.classes.size());
  return made;
}

// Labels that are none of the two, as 0 often is, say nothing.
NewSamples rows_of_libsvm(const std::string& data, const Preprocessing& how) {
  NewSamples made{.samples = read_libsvm(path_of(data), how.shape[0])};
  if (made.samples.dimension > how.shape[0])
    throw Error(fmt::format("the largest index is {}, and the training samples have {} features",
                            made.samples.dimension, how.shape[0]),
                made.samples.source, "take samples with the same features");
  const LabelPair pair{read_whole_real(how.classes[0]).value, read_whole_real(how.classes[1]).value};
  const auto& labels = made.samples.labels;
  if (std::none_of(labels.begin(), labels.end(), [&](double label) { return pair.holds(label); }))
    return made;
  map_labels_to_signs(made.samples, pair);
  for (const double sign : labels) made.truth.push_back(sign > 0 ? 1 : 0);
  return made;
}

NewSamples images_of(const std::string& data, const Preprocessing& how) {
  ImageData read = read_images(data);
  NewSamples made{.inputs = read.test.count() > 0 ? std::move(read.test) : std::move(read.train)};
  if (made.inputs.shape() != how.shape)
    throw Error(fmt::format("the images are of shape {}, the training images of {}",
                            fmt::join(made.inputs.shape(), "x"), fmt::join(how.shape, "x")),
                made.inputs.source, "take images of the same size");
  check_labels(made.inputs, static_cast<int>(how.classes.size()));
  made.truth.assign(made.inputs.labels.begin(), made.inputs.labels.end());
  return made;
}

}  // namespace

NewSamples read_new_samples(const std::string& data, const Preprocessing& how) {
  if (how.data == "table") return rows_of_table(data, how);
  return how.data == "libsvm" ? rows_of_libsvm(data, how) : images_of(data, how);
}

HeldInputs inputs_alike(const Preprocessing& how) {
  HeldInputs held;
  if (how.data == "table") {
    Table without_rows;
    without_rows.columns = how.columns;
    held.inputs = inputs_of(std::move(without_rows), how.classes.size());
    return held;
  }
  held.inputs.channels = static_cast<int>(how.shape[0]);
  held.inputs.height = static_cast<int>(how.shape[1]);
  held.inputs.width = static_cast<int>(how.shape[2]);
  held.inputs.classes = static_cast<int>(how.classes.size());
  held.moments = how.pixels;
  return held;
}

}  // namespace doc2s
