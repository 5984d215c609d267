#include "doc2s/gossip/peers.hpp"

#include "doc2s/transport/transport.hpp"
#include "gossip.hpp"
#include "travellers.hpp"

namespace doc2s {

template <class Real>
Peers<Real>::Peers(const Network& network, Transport<Real>& transport)
    : network_(network), transport_(transport), threads_(transport.threads()), here_(transport.clients()) {}

template <class Real>
std::unique_ptr<Gossip<Real>> Peers<Real>::gossip(const std::string& kind, int R, const std::string& where) {
  return std::make_unique<Gossip<Real>>(network_, network_.accepted_rounds(kind, R, where), transport_,
                                        traffic_);
}

template <class Real>
std::unique_ptr<Travellers<Real>> Peers<Real>::travellers(const Journey& journey, Index d,
                                                          std::uint64_t seed) {
  return std::make_unique<Travellers<Real>>(journey, d, seed, network_, transport_, traffic_);
}

template <class Real>
void Peers<Real>::mean(const Rows<Real>& rows, std::span<Real> out) const {
  transport_.mean(rows, out);
}

template class Peers<float>;
template class Peers<double>;

}  // namespace doc2s
