// SPDX-License-Identifier: Apache-2.0
#include "doc2s/gossip/peers.hpp"

#include "changing_rounds.hpp"
#include "doc2s/transport/transport.hpp"
#include "gossip.hpp"
#include "travellers.hpp"

namespace doc2s {

template <class Real>
Peers<Real>::Peers(const Network& network, Transport<Real>& transport, std::uint64_t seed)
    : network_(network),
      transport_(transport),
      threads_(transport.threads()),
      divergence_(transport.divergence()),
      here_(transport.clients()),
      seed_(seed) {}

template <class Real>
Peers<Real>::~Peers() = default;

template <class Real>
std::unique_ptr<Gossip<Real>> Peers<Real>::gossip(const std::string& kind, int R, const std::string& where) {
  if (network_.change && !changing_)
    changing_ = std::make_unique<ChangingRounds<Real>>(*network_.change, seed_);
  return std::make_unique<Gossip<Real>>(network_, network_.accepted_rounds(kind, R, where), transport_,
                                        traffic_, changing_.get());
}

template <class Real>
std::unique_ptr<Travellers<Real>> Peers<Real>::travellers(const Journey& journey, Index d,
                                                          std::uint64_t seed) {
  return std::make_unique<Travellers<Real>>(journey, d, seed, network_, transport_, traffic_);
}

template <class Real>
std::optional<double> Peers<Real>::measured_contraction() const {
  return changing_ ? changing_->probe().measured() : std::nullopt;
}

template <class Real>
void Peers<Real>::state(State& state) {
  state.value("gossip.rounds", traffic_.rounds);
  state.value("gossip.bytes", traffic_.bytes);
  state.value("gossip.output_bytes", traffic_.output_bytes);
  if (changing_) changing_->probe().state(state);
}

template <class Real>
void Peers<Real>::mean(const Rows<Real>& rows, std::span<Real> out) const {
  transport_.mean(rows, out);
}

template class Peers<float>;
template class Peers<double>;

}  // namespace doc2s
