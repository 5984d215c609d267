// SPDX-License-Identifier: Apache-2.0
#include "image_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "agreement.hpp"
#include "catalogue/image_files.hpp"
#include "doc2s/base/error.hpp"
#include "partition/sites.hpp"
#include "shares.hpp"
#include "table_data.hpp"
#include "validation.hpp"

namespace doc2s {

std::vector<Index> keep_local(Shares& shares, ClientRange here) {
  drop_foreign(shares, here);
  std::vector<Index> rows;  // row numbers in the file
  for (const auto& share : shares) rows.insert(rows.end(), share.begin(), share.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (auto& share : shares)
    for (Index& row : share) row = std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
  return rows;
}

HeldInputs hold(Images all, Shares shares, ClientRange here, bool with_moments) {
  HeldInputs held;
  if (with_moments) held.moments = moments_of(all);
  drop_foreign(shares, here);
  held.rows = shares;
  keep_rows(all, keep_local(shares, here));
  held.inputs = std::move(all);
  held.shares = std::move(shares);
  return held;
}

namespace {

void keep_first(Images& images, Index count) {
  if (images.count() <= count) return;
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  keep_rows(images, rows);
}

// The rows of `shares` alone; of all clients.
PixelMoments moments_of_training(const Images& all, const Shares& held) {
  std::vector<bool> is_held(all.labels.size());
  for (const auto& rows : held)
    for (const Index row : rows) is_held[row] = true;
  std::vector<Index> training;
  for (Index row = 0; row < all.count(); ++row)
    if (!is_held[row]) training.push_back(row);
  return moments_of(rows_of(all, training));
}

// Of problem.validation, where it is a file.
void read_validation(const ProblemRequest& request, HeldInputs& train) {
  if (validation_data(request.problem).empty() || !request.processes.is_first()) return;
  train.validation.emplace_back(read_images(request.problem.text("validation")).train);
}

// The images of problem.test, else those that come with the data.
Images test_images(const ProblemRequest& request, Images own = {}) {
  if (!request.processes.is_first()) return {};
  if (request.problem.has("test")) {
    ImageData data = read_images(request.problem.text("test"));
    own = data.test.count() > 0 ? std::move(data.test) : std::move(data.train);
  }
  if (request.problem.has("test_images")) keep_first(own, request.problem.integer("test_images"));
  return own;
}

std::vector<double> labels_of(const Images& images) { return {images.labels.begin(), images.labels.end()}; }

// One common set, split by the partition.
InputShare read_common(const ProblemRequest& request, bool with_moments, MakeImages synthetic) {
  const std::string& name = request.problem.text("data");
  ImageData all;
  if (name == "synthetic")
    synthetic(request.problem, request.seed, all.train, all.test);
  else
    all = read_images(name);
  const std::vector<double> labels = labels_of(all.train);
  require_same_data(request.processes, all.train.source, all.train.features(), labels);
  InputShare data;
  data.source = all.train.source;
  data.notices = std::move(all.notices);
  data.test = test_images(request, std::move(all.test));
  std::string notice;
  Shares shares = make_partition({labels, static_cast<int>(request.clients.integer("count")), request.seed},
                                 request.clients, notice);
  if (!notice.empty()) data.notices.push_back(notice);
  const Shares held = hold_back(request, shares);
  data.split = split_of(labels, shares);
  std::vector<Inputs> validation;
  for (int client = request.here.first; !held.empty() && client < request.here.end(); ++client)
    validation.emplace_back(rows_of(all.train, held[client]));
  const PixelMoments moments =
      with_moments && !held.empty() ? moments_of_training(all.train, held) : PixelMoments();
  data.train = hold(std::move(all.train), std::move(shares), request.here, with_moments && held.empty());
  if (!held.empty()) data.train.moments = moments;
  data.train.validation = std::move(validation);
  return data;
}

std::string shape_text(const std::vector<Index>& shape) {
  return fmt::format("{}x{} pixels with {} channel{}", shape[1], shape[2], shape[0],
                     shape[0] == 1 ? "" : "s");
}

// All clients' images must have one shape; the largest number of classes is used.
int agreed_classes(const std::vector<Site>& sites, const std::string& pattern) {
  Index classes = 0;
  for (std::size_t client = 0; client < sites.size(); ++client) {
    const auto &shape = sites[client].shape, &first = sites[0].shape;
    if (!std::equal(shape.begin(), shape.begin() + 3, first.begin()))
      throw Error(fmt::format("client {} has images of {}, and client 0 of {}", client, shape_text(shape),
                              shape_text(first)),
                  site_path(pattern, static_cast<int>(client)), "all clients' images must have one shape");
    classes = std::max(classes, shape[3]);
  }
  return static_cast<int>(classes);
}

// Integers, so the order of the sums does not matter. Where no client has enough images there are none.
void add(const PixelMoments& more, PixelMoments& all) {
  all.count += more.count;
  all.sum.resize(std::max(all.sum.size(), more.sum.size()));
  all.squares.resize(all.sum.size());
  for (std::size_t j = 0; j < more.sum.size(); ++j) {
    all.sum[j] += more.sum[j];
    all.squares[j] += more.squares[j];
  }
}

PixelMoments all_moments(Processes& processes, const PixelMoments& mine) {
  using Json = nlohmann::json;
  using Sums = std::vector<std::uint64_t>;
  PixelMoments all;
  for (const auto& text : processes.gather(Json::array({mine.count, mine.sum, mine.squares}).dump())) {
    const Json theirs = Json::parse(text);
    add({theirs[0].get<std::uint64_t>(), theirs[1].get<Sums>(), theirs[2].get<Sums>()}, all);
  }
  return all;
}

// One file or folder per client. A process opens only those of its own clients. Test images in such a folder
// are ignored.
InputShare read_sites(const ProblemRequest& request, bool with_moments) {
  const std::string& pattern = request.problem.text("data");
  InputShare data;
  data.source = absolute_pattern(pattern);
  HeldInputs& held = data.train;
  held.shares.resize(static_cast<std::size_t>(request.clients.integer("count")));
  held.rows = held.shares;
  std::vector<Site> here;
  for (int client = request.here.first; client < request.here.end(); ++client) {
    Images site = read_images(existing_site_path(pattern, client)).train;
    Shares rows(held.shares.size());
    rows[client] = rows_from(0, site.count());
    if (const Shares kept_back = hold_back(request, rows); !kept_back.empty()) {
      held.validation.emplace_back(rows_of(site, kept_back[client]));
      keep_rows(site, rows[client]);
    }
    here.push_back(site_of({site.channels, site.height, site.width, site.classes}, labels_of(site)));
    held.shares[client] = rows_from(held.inputs.count(), site.count());
    held.rows[client] = std::move(rows[client]);
    if (with_moments && site.count() >= least_rows(request)) add(moments_of(site), held.moments);
    append(held.inputs, site);
  }
  const std::vector<Site> sites = all_sites(request, here);
  held.inputs.classes = agreed_classes(sites, pattern);
  if (with_moments) {
    check_rows_for_scaling(request, sites, data.notices);
    held.moments = all_moments(request.processes, held.moments);
  }
  data.split = split_of(request, sites);
  note_sites(request, sites, {}, data.notices);
  data.test = test_images(request);
  return data;
}

}  // namespace

InputShare image_share(const ProblemRequest& request, bool with_moments, MakeImages synthetic) {
  refuse_table_keys(request.problem, {"target", "label", "header", "ignore", "missing"});
  InputShare data = is_site_pattern(request.problem.text("data"))
                        ? read_sites(request, with_moments)
                        : read_common(request, with_moments, synthetic);
  read_validation(request, data.train);
  const Inputs& images = data.train.inputs;
  data.preprocessing.problem = request.problem.text("name");
  data.preprocessing.data = "images";
  data.preprocessing.shape = images.shape();
  for (int label = 0; label < images.classes; ++label)
    data.preprocessing.classes.push_back(std::to_string(label));
  data.preprocessing.pixels = data.train.moments;
  return data;
}

}  // namespace doc2s
