// SPDX-License-Identifier: Apache-2.0
#include "measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/long_work.hpp"
#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

double or_infinity(double number) {
  return std::isfinite(number) ? number : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<Index> totals(Processes& processes, const std::vector<Index>& mine) {
  const std::vector<Index> all = gathered(processes, mine);
  std::vector<Index> sums(mine.size());
  for (std::size_t k = 0; k < all.size(); ++k) sums[k % mine.size()] += all[k];
  return sums;
}

template <class Real>
void fill_counts(const Experiment<Real>& experiment, Record& record) {
  const Traffic& traffic = experiment.peers.traffic();
  const Wire wire = experiment.transport->wire();
  Processes& processes = experiment.processes;
  const auto sums = totals(
      processes,
      {experiment.oracle->samples(), experiment.oracle->evaluations(), wire.bytes, wire.messages,
       experiment.transport->record_bytes() + processes.gathered_bytes() - experiment.gathered_before});
  const auto set = [&](const char* name, Index number) { record[name] = static_cast<double>(number); };
  set("samples", sums[0]);
  set("evaluations", sums[1]);
  set("communication_rounds", traffic.rounds);
  set("bytes", traffic.bytes);
  if (experiment.algorithm->travels()) set("output_bytes", traffic.output_bytes);
  set("wire_bytes", sums[2]);
  set("messages", sums[3]);
  set("record_bytes", sums[4]);
}

namespace {

// f at x_0 … x_{n−1}, where they are kept, and at x̄, f(x) = (1/n) Σ_i f_i(x) folded in the order of the
// clients that are asked. Each process computes its own clients' f_i at every point, of which it holds only a
// few at a time.
template <class Real>
class Losses {
 public:
  Losses(const Experiment<Real>& experiment, const Rows<Real>& x, std::span<const Real> mean,
         const std::atomic<bool>* stop)
      : experiment_(experiment),
        stop_(stop),
        evaluated_(experiment.evaluated),
        x_(x),
        kept_(x.dimension() > 0 ? experiment.world.n() : 0),
        mean_(mean) {}

  double accuracy = std::numeric_limits<double>::quiet_NaN();  // this and the next of x̄, beside the losses
  double test_rmse = accuracy;
  std::vector<typename Problem<Real>::Validated> validated{};  // of x̄, on the rows here

  std::vector<double> compute() {
    const int points = kept_ + 1;
    const int together =
        experiment_.processes.count() == 1 ? std::min(points, most_together()) : fewest_threads();
    std::vector<double> losses;
    for (int first = 0; first < points; first += together)
      add(first, std::min(together, points - first), losses);
    return losses;
  }

 private:
  // The processes take the points in step, so they must agree on how many at a time.
  int fewest_threads() const {
    return std::ranges::min(gathered<int>(experiment_.processes, {experiment_.transport->threads().count()}));
  }

  // Losses at 2²² clients and points take 32 MB.
  int most_together() const {
    constexpr Index fewest = 256, most = 1 << 22;
    return static_cast<int>(std::max(fewest, most / std::max<Index>(1, std::ssize(evaluated_.clients))));
  }

  void test() {
    accuracy = experiment_.problem().accuracy(mean_);
    test_rmse = experiment_.problem().test_rmse(mean_);
    validated = experiment_.problem().validated(mean_);
  }

  void add(int first, int count, std::vector<double>& losses) {
    std::vector<std::vector<Real>> room(count);
    std::vector<std::span<const Real>> points;
    for (int p = 0; p < count; ++p)
      points.push_back(first + p == kept_ ? mean_ : experiment_.transport->show(x_, first + p, room[p]));
    const Index asked = std::ssize(evaluated_.clients);
    std::vector<double> mine(asked * count);  // client by client, each at all the points
    const bool with_accuracy = first + count > kept_;
    experiment_.transport->threads().each(count + with_accuracy, [&](Index p) {
      if (stop_ && *stop_ && Clock::now() - begun_ > Listener::moment)
        throw Interrupted("interrupted while computing the losses of the first record");
      work_.go_on(static_cast<double>(done_++) / (kept_ + 2));  // the points, x̄ and the test
      if (p == count) test();
      for (Index k = 0; p < count && k < asked; ++k)
        mine[k * count + p] =
            experiment_.problem().loss(evaluated_.clients[k], evaluated_.samples[k], points[p]);
    });
    const std::vector<double> all = gathered(experiment_.processes, mine);
    for (int p = 0; p < count; ++p) {
      double sum = 0;
      for (Index i = 0; i < evaluated_.everywhere; ++i) sum += all[i * count + p];
      losses.push_back(sum / evaluated_.everywhere);
    }
  }

  const Experiment<Real>& experiment_;
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool>* const stop_;
  const Clock::time_point begun_ = Clock::now();
  const LongWork work_{"computing the losses"};
  std::atomic<Index> done_{0};
  const Evaluated& evaluated_;
  const Rows<Real>& x_;
  const int kept_;  // points of clients: n or none
  std::span<const Real> mean_;
};

// (1/n) Σ_i ‖x_i − x̄‖
template <class Real>
double mean_distance(const Experiment<Real>& experiment, const Rows<Real>& x, std::span<const Real> mean) {
  std::vector<double> distances;
  for (int i = x.clients().first; i < x.clients().end(); ++i)
    distances.push_back(distance<Real>(x.row(i), mean));
  double sum = 0;
  for (const double one : gathered(experiment.processes, distances)) sum += one / experiment.world.n();
  return sum;
}

// Folded in the order of the clients.
template <class Real>
void fill_validation(const Experiment<Real>& experiment,
                     const std::vector<typename Problem<Real>::Validated>& mine, Record& record) {
  const Settings& problem = experiment.config.problem;
  if (!problem.has("validation") && !experiment.made.is_users) return;
  double rows = 0, sum = 0;
  for (const auto& part : gathered(experiment.processes, mine)) rows += part.rows, sum += part.sum;
  if (rows == 0) return;
  if (problem.has("target") && problem.text("target") == "number")
    record["validation_rmse"] = or_infinity(std::sqrt(sum / rows));
  else
    record["validation_accuracy"] = sum / rows;
}

void fill_client_losses(std::span<const double> losses, Record& record) {
  double clients = 0, worst = -std::numeric_limits<double>::infinity();
  for (const double loss : losses) {
    clients += loss / static_cast<double>(losses.size());
    worst = std::isnan(loss) ? loss : std::max(worst, loss);
  }
  record["loss_clients"] = or_infinity(clients);
  record["loss_worst"] = or_infinity(worst);
}

}  // namespace

template <class Real>
void fill_measures(const Experiment<Real>& experiment, Record& record, const std::atomic<bool>* stop) {
  const Rows<Real>& x = experiment.algorithm->iterate();
  std::vector<Real> mean(static_cast<std::size_t>(experiment.world.d()));
  experiment.algorithm->mean_point(mean);

  Losses<Real> at(experiment, x, mean, stop);
  const std::vector<double> losses = at.compute();
  const Index evaluated_on = totals(experiment.processes, {experiment.evaluated.count()})[0];

  record["loss_mean_point"] = or_infinity(losses.back());
  record["accuracy"] = at.accuracy;
  record["test_rmse"] = at.test_rmse;
  fill_validation(experiment, at.validated, record);
  record["evaluated_on"] = static_cast<double>(evaluated_on);
  if (x.dimension() == 0) return;  // the clients' points are too many to be kept
  fill_client_losses(std::span(losses).first(losses.size() - 1), record);
  record["consensus"] = or_infinity(mean_distance<Real>(experiment, x, mean));
  experiment.algorithm->show_before_gossip(record.whole("iteration"), [&](const Rows<Real>& before) {
    experiment.peers.mean(before, mean);
    record["consensus_x"] = or_infinity(mean_distance<Real>(experiment, before, mean));
  });
}

template void fill_counts(const Experiment<float>&, Record&);
template void fill_counts(const Experiment<double>&, Record&);
template void fill_measures(const Experiment<float>&, Record&, const std::atomic<bool>*);
template void fill_measures(const Experiment<double>&, Record&, const std::atomic<bool>*);

}  // namespace doc2s
