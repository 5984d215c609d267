// SPDX-License-Identifier: Apache-2.0
#include "svm_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agreement.hpp"
#include "catalogue/catalogue.hpp"
#include "data/libsvm.hpp"
#include "doc2s/base/error.hpp"
#include "partition/sites.hpp"
#include "shares.hpp"
#include "table_data.hpp"
#include "validation.hpp"

namespace doc2s {

namespace {

void take_notice(const std::string& notice, std::vector<std::string>& notices) {
  if (!notice.empty()) notices.push_back(notice);
}

// A method holds dense vectors of the data's dimension, so one huge index in a small file would cost
// gigabytes.
Samples read_samples(const std::string& path, const KeepRow& keep = {}) {
  constexpr Index always_allowed = 1 << 20, most_a_feature = 256;
  Samples samples = read_libsvm(path, 0, keep);
  if (samples.dimension > always_allowed + most_a_feature * samples.features)
    throw Error(fmt::format("the largest index is {}, but the file has only {} values", samples.dimension,
                            samples.features),
                samples.source, "fix that index or renumber the features");
  return samples;
}

// The path of the test samples if this process reads them, else "".
std::string test_path(const ProblemRequest& request, const std::string& own = "") {
  if (!request.processes.is_first()) return "";
  return request.problem.has("test") ? find_data(request.problem.text("test")).train : own;
}

Samples read_signed(const std::string& path, LabelPair pair) {
  Samples samples = read_samples(path);
  map_labels_to_signs(samples, pair);
  return samples;
}

// Test and validation samples may have features that no training sample has.
void read_others(const ProblemRequest& request, const std::string& test, LabelPair pair, SvmData& data) {
  if (!test.empty()) data.test = read_signed(test, pair);
  Index dimension = std::max(data.train.dimension, data.test.dimension);
  const std::string validation = validation_data(request.problem);
  if (!validation.empty() && request.processes.is_first()) {
    data.validation = {read_signed(find_data(validation).train, pair)};
    dimension = std::max(dimension, data.validation[0].dimension);
  }
  data.train.dimension = largest(request.processes, dimension);
  data.preprocessing = svm_preprocessing(pair, data.train.dimension);
}

Samples rows_of(const Samples& samples, const std::vector<Index>& rows) {
  Samples some;
  some.source = samples.source;
  some.dimension = samples.dimension;
  for (const Index row : rows) {
    const Index first = samples.offsets[row], end = samples.offsets[row + 1];
    some.columns.insert(some.columns.end(), samples.columns.begin() + first, samples.columns.begin() + end);
    some.values.insert(some.values.end(), samples.values.begin() + first, samples.values.begin() + end);
    some.offsets.push_back(std::ssize(some.columns));
    some.labels.push_back(samples.labels[row]);
  }
  return some;
}

void take_validation(const ProblemRequest& request, const Shares& held, SvmData& data) {
  for (int client = request.here.first; !held.empty() && client < request.here.end(); ++client)
    data.validation.push_back(rows_of(data.train, held[client]));
}

// The same shares with the rows that are held back.
Shares together(Shares shares, const Shares& held) {
  for (std::size_t client = 0; client < held.size(); ++client)
    shares[client].insert(shares[client].end(), held[client].begin(), held[client].end());
  return shares;
}

// Fills data.train, which has only labels so far, with the features of the rows in `shares`.
void read_features(const std::function<Samples(const KeepRow&)>& read, const Shares& shares, SvmData& data) {
  std::vector<bool> held(data.train.labels.size());
  for (const auto& share : shares)
    for (const Index row : share) held[row] = true;
  Samples again = read([&](Index row) { return row < std::ssize(held) && held[row]; });
  if (again.count() != data.train.count())
    throw Error("the file changed while it was read", data.source, "start again");
  data.train.offsets = std::move(again.offsets);
  data.train.columns = std::move(again.columns);
  data.train.values = std::move(again.values);
}

// One common file, split by the partition. With several processes, each reads it twice, first the labels for
// the partition, then the features of its own rows, so that it never holds more than its own part.
SvmData read_common(const ProblemRequest& request) {
  SvmData data;
  const bool alone = request.processes.count() == 1;
  const bool synthetic = request.problem.text("data") == "synthetic";
  const DataFiles files = synthetic ? DataFiles{} : find_data(request.problem.text("data"));
  take_notice(files.notice, data.notices);
  const auto read = [&](const KeepRow& keep) {
    return synthetic ? make_synthetic(synthetic_shape(request.problem), request.seed, keep)
                     : read_samples(files.train, keep);
  };
  data.train = read(alone ? KeepRow{} : [](Index) { return false; });
  data.samples = data.train.count();
  data.source = data.train.source;
  require_same_data(request.processes, data.source, data.train.dimension, data.train.labels);
  const LabelPair pair = map_labels_to_signs(data.train);
  take_notice(data.train.notice, data.notices);
  read_others(request, synthetic ? "" : test_path(request, files.test), pair, data);
  std::string notice;
  data.shares =
      make_partition({data.train.labels, static_cast<int>(request.clients.integer("count")), request.seed},
                     request.clients, notice);
  take_notice(notice, data.notices);
  Shares held = hold_back(request, data.shares);
  for (const auto& rows : held) data.samples -= std::ssize(rows);
  data.split = split_of(data.train.labels, data.shares);
  drop_foreign(data.shares, request.here);
  drop_foreign(held, request.here);
  data.rows = data.shares;
  if (!alone) read_features(read, together(data.shares, held), data);
  take_validation(request, held, data);
  return data;
}

// The label pair that fits most clients' files must fit all.
LabelPair agreed_pair(const std::vector<Site>& sites, const std::string& pattern) {
  const auto fits = [](const Site& site, const LabelPair& pair) {
    return std::all_of(site.labels.begin(), site.labels.end(),
                       [&](const auto& label) { return pair.holds(label.first); });
  };
  const auto files = [&](const LabelPair& pair) {
    return std::count_if(sites.begin(), sites.end(), [&](const Site& site) { return fits(site, pair); });
  };
  const auto best = *std::max_element(label_pairs().begin(), label_pairs().end(),
                                      [&](const auto& a, const auto& b) { return files(a) < files(b); });
  for (std::size_t client = 0; client < sites.size(); ++client)
    for (const auto& [label, count] : sites[client].labels)
      if (!best.holds(label))
        throw Error(fmt::format("client {} has the label {}, and {} of the {} clients have only {}", client,
                                label, files(best), sites.size(), best.name()),
                    site_path(pattern, static_cast<int>(client)),
                    "the labels of all files together must be " + label_pair_names());
  return best;
}

void map_labels_to_signs(Site& site, LabelPair pair) {
  std::map<double, Index> signs;
  for (const auto& [label, count] : site.labels) signs[label == pair.positive ? 1 : -1] = count;
  site.labels = signs;
}

// One file per client. A process opens only those of its own clients.
SvmData read_sites(const ProblemRequest& request) {
  SvmData data;
  const std::string& pattern = request.problem.text("data");
  data.shares.resize(static_cast<std::size_t>(request.clients.integer("count")));
  data.rows = data.shares;
  data.source = absolute_pattern(pattern);
  std::vector<Site> here;
  Shares held(data.shares.size());
  for (int client = request.here.first; client < request.here.end(); ++client) {
    const Samples site = read_samples(existing_site_path(pattern, client));
    fitting_pair(site);  // throws for other labels, with the sample's number
    here.push_back(site_of({site.dimension}, site.labels));
    Site& mine = here.back();
    Shares rows(data.shares.size());
    rows[client] = rows_from(0, site.count());
    if (const Shares kept_back = hold_back(request, rows); !kept_back.empty()) {
      for (const Index row : kept_back[client]) held[client].push_back(data.train.count() + row);
      mine.rows = std::ssize(rows[client]);
      for (auto& [label, count] : mine.labels) count = 0;
      for (const Index row : rows[client]) ++mine.labels[site.labels[row]];
    }
    data.rows[client] = rows[client];
    for (const Index row : rows[client]) data.shares[client].push_back(data.train.count() + row);
    append(data.train, site);
  }
  data.train.source = data.source;
  std::vector<Site> sites = all_sites(request, here);
  const LabelPair pair = agreed_pair(sites, pattern);
  map_labels_to_signs(data.train, pair);
  for (Site& site : sites) map_labels_to_signs(site, pair);
  data.samples = samples_of(sites);
  data.split = split_of(request, sites);
  take_notice(data.train.notice, data.notices);
  note_sites(request, sites, {}, data.notices);
  read_others(request, test_path(request), pair, data);
  if (request.problem.has("validation") && validation_data(request.problem).empty())
    take_validation(request, held, data);
  return data;
}

}  // namespace

SyntheticShape synthetic_shape(const Settings& problem) {
  return {.size = problem.integer("size"),
          .dimension = problem.integer("dimension"),
          .sparsity = problem.real("sparsity"),
          .noise = problem.real("noise")};
}

Preprocessing svm_preprocessing(LabelPair pair, Index dimension) {
  Preprocessing how;
  how.problem = "svm";
  how.data = "libsvm";
  how.classes = {fmt::format("{}", pair.negative), fmt::format("{}", pair.positive)};
  how.shape = {dimension};
  return how;
}

SvmData svm_data(const ProblemRequest& request) {
  if (is_table_data(request.problem)) return svm_table_data(request);
  refuse_table_keys(request.problem, {"target", "label", "header", "scaling", "ignore", "missing"});
  return is_site_pattern(request.problem.text("data")) ? read_sites(request) : read_common(request);
}

}  // namespace doc2s
