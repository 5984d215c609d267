// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doc2s/base/error.hpp"
#include "image_data.hpp"
#include "partition/sites.hpp"
#include "table_data.hpp"

namespace doc2s {

void add_options(std::vector<Option>& options, std::vector<Option> more) {
  for (Option& option : more) options.push_back(std::move(option));
}

Option test_images_option(std::optional<Value> of_images) {
  const std::string number = of_images
                                 ? "; default: all rows of a table, and of images " + to_toml(*of_images)
                                 : "; all where absent";
  Option option = integer_option("test_images", std::nullopt,
                                 "number of test samples for accuracy or error (the first ones)" + number);
  const auto derived = [of_images](const Config& config) {
    return is_table_data(config.problem) ? std::nullopt : of_images;
  };
  return option.at_least(1).derived_by(derived);
}

std::vector<Option> image_source_options() {
  return {
      text_option("data", "synthetic",
                  "a data set's name (doc2s list datasets), a folder or file of images, a table (.csv, "
                  ".npy, .npz, LIBSVM text), one per client (\"site-{client}.csv\", or a list of files), or "
                  "\"synthetic\"")
          .folding(pattern_of)
          .as_path(find_data_path),
      text_option("test", std::nullopt,
                  "test samples for `accuracy` or `test_rmse`, named as `data` is; the data set's own where "
                  "it has some")
          .as_path(find_data_path)};
}

std::vector<Option> synthetic_image_options() {
  std::vector<Option> options = {
      integer_option("size", 2000,
                     "training images of the synthetic data; a fifth as many test images come on top")
          .at_least(1)
          .at_most(1e9),
      integer_option("classes", 10, "classes of the synthetic data").at_least(2).at_most(10000),
      real_option("noise", 0.3,
                  "standard deviation of a pixel around its class's picture; 1 is from black to white")
          .at_least(0)
          .at_most(100),
  };
  for (Option& option : options) option = option.only_where("data", "synthetic");
  return options;
}

void refuse_many_pixels(const Settings& problem, Index size, Index dimension) {
  const double pixels = 1.2 * static_cast<double>(size) * static_cast<double>(dimension);
  if (pixels > 1e10)
    throw Error(fmt::format("{:.3g} pixels are too many", pixels), problem.where("size"),
                "make size or dimension smaller");
}

}  // namespace doc2s
