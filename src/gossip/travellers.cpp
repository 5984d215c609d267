// SPDX-License-Identifier: Apache-2.0
#include "travellers.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "network/tour.hpp"

namespace doc2s {

template <class Real>
double Traveller<Real>::squares() const {
  double sum;
  std::memcpy(&sum, cargo.data() + cargo.size() - tail, sizeof sum);
  return sum;
}

template <class Real>
void Traveller<Real>::add_square(double square) {
  const double sum = squares() + square;
  std::memcpy(cargo.data() + cargo.size() - tail, &sum, sizeof sum);
}

template <class Real>
Travellers<Real>::Travellers(const Journey& journey, Index dimension, std::uint64_t seed,
                             const Network& network, Transport<Real>& transport, Traffic& traffic)
    : dimension_(dimension),
      stay_(journey.stay),
      change_(network.change.get()),
      tree_(change_ && journey.travellers > 1 ? std::make_unique<TreeRounds>(*change_) : nullptr),
      route_(make_route(journey.route, network, journey.travellers, seed)),
      tree_edges_(network.clients() - 1),
      tree_depth_(journey.travellers > 1 ? BreadthFirstTree(network.graph).depth : 0),
      transport_(transport),
      traffic_(traffic),
      rank_(transport.rank_of(transport.clients().first)),
      ranks_(transport.rank_of(network.clients() - 1) + 1),
      messages_(ranks_ > 1 ? transport.messages() : nullptr),
      all_(journey.travellers),
      by_client_(journey.travellers),
      legs_(journey.travellers) {
  std::iota(by_client_.begin(), by_client_.end(), 0);
  for (int k = 0; k < count(); ++k) {
    all_[k].number = k;
    all_[k].client = route_->start(k);
  }
  arrange();
}

template <class Real>
void Travellers<Real>::start(std::span<const Real> x0) {
  for (const int k : here_) {
    auto& one = all_[k];
    for (const Vector which : {Vector::z, Vector::trail}) std::ranges::copy(x0, one[which].begin());
  }
}

// Who is here, by client, and what tells those at one client apart.
template <class Real>
void Travellers<Real>::arrange() {
  std::ranges::sort(by_client_, {}, [&](int k) { return std::pair(all_[k].client, k); });
  here_.clear();
  first_of_client_.clear();
  int before = -1, draw = 0;  // the client of the traveller before, and how many are at it
  for (const int k : by_client_) {
    auto& one = all_[k];
    one.draw = draw = one.client == before ? draw + 1 : 0;
    before = one.client;
    if (!is_here(one)) continue;
    if (draw == 0) first_of_client_.push_back(static_cast<int>(here_.size()));
    here_.push_back(k);
    one.cargo.resize(cargo_numbers());
  }
  first_of_client_.push_back(static_cast<int>(here_.size()));
}

// Until all have arrived; the longest way where every edge is up.
template <class Real>
Tick Travellers<Real>::rounds_of_move() const {
  if (!change_) return std::ranges::max(legs_, {}, &Route::Leg::hops).hops;
  std::vector<Trip> trips;
  for (const auto& one : all_) trips.push_back({one.client, legs_[one.number].to});
  return rounds_to_arrive(*change_, std::move(trips), traffic_.rounds);
}

template <class Real>
Tick Travellers<Real>::rounds_of_averaging() const {
  return tree_ ? tree_->up_and_down(traffic_.rounds) : 2 * tree_depth_;
}

// Those who change processes are sent directly, each as one message.
template <class Real>
void Travellers<Real>::go(bool output) {
  traffic_.rounds += rounds_of_move();
  for (int k = 0; k < count(); ++k) {
    auto& one = all_[k];
    const int from = transport_.rank_of(one.client), to = transport_.rank_of(legs_[k].to);
    if (from != to && from == rank_) messages_->send(to, one.cargo);
    if (from != to && to == rank_) {
      one.cargo.resize(cargo_numbers());
      messages_->receive(from, one.cargo);
    }
    one.client = legs_[k].to;
    one.last.hops = legs_[k].hops;
    traffic_.bytes += bytes(2 * dimension_ * one.last.hops);
    if (output) traffic_.output_bytes += bytes(dimension_ * one.last.hops);
  }
  if (messages_) {
    messages_->wait();
    for (auto& one : all_)
      if (!is_here(one)) LargeVector<Real>().swap(one.cargo);
  }
  arrange();
}

template <class Real>
void Travellers<Real>::average(std::initializer_list<Vector> which, std::span<Real> mean) {
  if (count() == 1) return;
  const Index numbers = std::ssize(which) * dimension_;
  traffic_.rounds += rounds_of_averaging();
  traffic_.bytes += bytes(2 * tree_edges_ * numbers);
  std::vector<double> sums(numbers);
  fold_at_first(which, sums);
  std::vector<Real> means(numbers);
  std::ranges::transform(sums, means.begin(), [&](double sum) { return static_cast<Real>(sum / count()); });
  if (messages_) send_down(means);
  for (const int k : here_) {
    auto from = means.begin();
    for (const Vector one : which) {
      std::copy_n(from, dimension_, all_[k][one].begin());
      from += dimension_;
    }
  }
  std::copy_n(means.begin(), dimension_, mean.begin());
}

template <class Real>
std::vector<Real> Travellers<Real>::packed(const Traveller<Real>& one,
                                           std::initializer_list<Vector> which) const {
  std::vector<Real> numbers;
  for (const Vector vector : which) numbers.insert(numbers.end(), one[vector].begin(), one[vector].end());
  return numbers;
}

// The first process gets what the others send, and adds it up in the order of the travellers.
template <class Real>
void Travellers<Real>::fold_at_first(std::initializer_list<Vector> which, std::vector<double>& sums) {
  std::vector<std::vector<Real>> sent;  // kept until they have arrived
  std::vector<Real> got(sums.size());
  for (const auto& one : all_) {
    const int from = transport_.rank_of(one.client);
    if (rank_ > 0) {
      if (from == rank_) messages_->send(0, sent.emplace_back(packed(one, which)));
      continue;
    }
    if (from == 0) {
      got = packed(one, which);
    } else {
      messages_->receive(from, got);
      messages_->wait();
    }
    std::transform(sums.begin(), sums.end(), got.begin(), sums.begin(), std::plus());
  }
  if (messages_) messages_->wait();
}

// From process r to 2r + 1 and 2r + 2.
template <class Real>
void Travellers<Real>::send_down(std::span<Real> means) {
  if (rank_ > 0) {
    messages_->receive((rank_ - 1) / 2, means);
    messages_->wait();
  }
  for (int child = 2 * rank_ + 1; child <= std::min(2 * rank_ + 2, ranks_ - 1); ++child)
    messages_->send(child, means);
  messages_->wait();
}

template <class Real>
void Travellers<Real>::mean(Vector which, std::span<Real> out) const {
  std::vector<double> sums(dimension_);
  std::vector<Real> numbers(dimension_);
  for (const auto& one : all_) {
    if (is_here(one)) std::ranges::copy(one[which], numbers.begin());
    transport_.share(one.client, numbers);
    std::transform(sums.begin(), sums.end(), numbers.begin(), sums.begin(), std::plus());
  }
  std::ranges::transform(sums, out.begin(), [&](double sum) { return static_cast<Real>(sum / count()); });
}

template <class Real>
void Travellers<Real>::count_output() {
  traffic_.output_bytes += bytes(tree_edges_ * dimension_);
}

template <class Real>
void Travellers<Real>::state(State& state) {
  std::vector<int> clients(all_.size());
  std::ranges::transform(all_, clients.begin(), &Traveller<Real>::client);
  state.numbers<int>("clients", clients);
  for (int k = 0; k < count(); ++k) all_[k].client = clients[k];
  arrange();
  LargeVector<Real> elsewhere(cargo_numbers());
  for (auto& one : all_)
    state.numbers<Real>("traveller." + std::to_string(one.number), is_here(one) ? one.cargo : elsewhere,
                        one.client);
}

template class Traveller<float>;
template class Traveller<double>;
template class Travellers<float>;
template class Travellers<double>;

}  // namespace doc2s
