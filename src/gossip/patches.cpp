#include "patches.hpp"

#include <algorithm>
#include <utility>

#include "chain.hpp"
#include "rooms.hpp"
#include "two_rounds_kernel.hpp"

namespace doc2s {

namespace {

constexpr int inner_clients = 32;  // whose rows, and as much room, fit a core's cache

template <class Real>
class PatchMaker {
 public:
  explicit PatchMaker(const Recursion<Real>& recursion)
      : recursion_(recursion), place_(recursion.clients(), -1) {}

  // Nothing: more than half as many clients are around these as they are.
  std::optional<Patch<Real>> around(ClientRange inner) {
    Patch<Real> patch;
    patch.inner = inner;
    for (int i = inner.first; i < inner.end(); ++i) take(i, patch);
    patch.within = {inner.count};
    for (int from = 0; std::ssize(patch.within) <= recursion_.rounds;) {
      const int end = patch.within.back();
      for (; from < end; ++from) take_neighbours(patch.clients[from], patch);
      patch.within.push_back(static_cast<int>(std::ssize(patch.clients)));
    }
    for (const int client : patch.clients) place_[client] = -1;
    if (2 * (patch.within.back() - inner.count) > inner.count) return std::nullopt;
    if (recursion_.rounds == 2) patch.chain = chain_weights(inner.first - 2, inner.end() + 2);
    return patch;
  }

 private:
  void take(int client, Patch<Real>& patch) {
    if (place_[client] >= 0) return;
    place_[client] = static_cast<int>(std::ssize(patch.clients));
    patch.clients.push_back(client);
  }

  void take_neighbours(int client, Patch<Real>& patch) {
    for (const auto& [neighbour, weight] : recursion_.neighbours(client)) {
      take(neighbour, patch);
      patch.terms.push_back({place_[neighbour], weight});
    }
    patch.offsets.push_back(std::ssize(patch.terms));
  }

  // of the edges between clients first ≤ i < end; nothing where these are no chain
  std::vector<Real> chain_weights(int first, int end) const {
    if (first < 0 || end > std::ssize(place_)) return {};
    std::vector<Real> weights;
    for (int i = first + 1; i < end - 1; ++i) {
      if (!is_link(recursion_, i)) return {};
      const auto terms = recursion_.neighbours(i);
      if (weights.empty()) weights.push_back(terms[0].weight);
      if (weights.back() != terms[0].weight) return {};
      weights.push_back(terms[1].weight);
    }
    return weights;
  }

  const Recursion<Real>& recursion_;
  std::vector<int> place_;  // of each client in the patch, −1: not there
};

}  // namespace

template <class Real>
std::unique_ptr<Patches<Real>> Patches<Real>::of(const Recursion<Real>& recursion) {
  const int n = recursion.clients();
  const int count = (n - 1) / inner_clients + 1;
  PatchMaker<Real> maker(recursion);
  auto patches = std::make_unique<Patches>();
  patches->place_kept_.resize(n, -1);
  for (int k = 0; k < count; ++k) {
    const int first = static_cast<int>(Index{n} * k / count),
              end = static_cast<int>(Index{n} * (k + 1) / count);
    auto patch = maker.around({first, end - first});
    if (!patch) return nullptr;
    patches->add(std::move(*patch));
  }
  return patches;
}

template <class Real>
void Patches<Real>::add(Patch<Real> patch) {
  for (int place = patch.inner.count; place < patch.within.back(); ++place) {
    const int client = patch.clients[place];
    if (place_kept_[client] >= 0) continue;
    place_kept_[client] = static_cast<int>(kept());
    kept_clients_.push_back(client);
  }
  patches_.push_back(std::move(patch));
}

template <class Real>
void Patches<Real>::open(const Rows<Real>& z) {
  if (!kept_rows_ || kept_rows_->dimension() != z.dimension())
    kept_rows_.emplace(ClientRange{0, static_cast<int>(kept())}, z.dimension());
}

template <class Real>
void Patches<Real>::keep(const Rows<Real>& z, Index k) {
  std::ranges::copy(z.row(kept_clients_[k]), kept_rows_->row(static_cast<int>(k)).begin());
}

// As on a tile (Tiles::mix_tile), but each round is for clients one edge less away. The rows of the next
// patch are fetched on the way.
template <class Real>
void Patches<Real>::mix(const Patch<Real>& patch, Rows<Real>& z, Real phi) {
  if (!patch.chain.empty()) return mix_chain(patch, z, phi);
  thread_local std::vector<Real*> own, room[2];  // rows by place
  const int rounds = static_cast<int>(std::ssize(patch.within)) - 1, inner = patch.inner.count;
  const int next = std::min(inner, z.clients().count - patch.inner.end()), mixed = patch.within[rounds - 1];
  const auto rooms = two_rooms<Real>(mixed, z.in_lines());
  own.clear();
  for (const int client : patch.clients) own.push_back(row(patch, z, client));
  for (int k = 0; k < 2; ++k) {
    room[k].resize(mixed);
    for (int place = 0; place < mixed; ++place) room[k][place] = rooms[k][place];
  }
  Real *const *now = own.data(), *const *before = now;
  for (int r = 0; r < rounds; ++r) {
    Real* const* const target = r > 0 && r + 1 == rounds ? own.data() : room[r % 2].data();
    for (int place = 0; place < patch.within[rounds - 1 - r]; ++place) {
      if (place % rounds == r && place < next)
        prefetch<Fetch::to_write>(z.row(patch.inner.end() + place).data(), z.in_lines());
      const auto* const terms = patch.terms.data();
      gossip_row(terms + patch.offsets[place], terms + patch.offsets[place + 1], phi, now, place, before,
                 target, Index{0}, z.in_lines());
    }
    before = std::exchange(now, target);
  }
  if (rounds == 1)
    for (int place = 0; place < inner; ++place) std::copy_n(now[place], z.in_lines(), own[place]);
}

// The next patch's rows are as far from these as there are clients inside.
template <class Real>
void Patches<Real>::mix_chain(const Patch<Real>& patch, Rows<Real>& z, Real phi) {
  thread_local std::vector<Real*> rows;
  const ClientRange inner = patch.inner;
  rows.clear();
  for (int i = inner.first - 2; i < inner.end() + 2; ++i) rows.push_back(row(patch, z, i));
  const Index ahead = inner.end() + inner.count > z.clients().count ? 0 : inner.count * z.stride();
  for (Index column = 0; column < z.in_lines(); column += line_numbers<Real>)
    mix_inner_line(patch.chain.data(), rows.data(), inner.count + 4, phi, column, ahead);
}

template <class Real>
Real* Patches<Real>::row(const Patch<Real>& patch, Rows<Real>& z, int client) {
  return (patch.inner.contains(client) ? z.row(client) : kept_rows_->row(place_kept_[client])).data();
}

template class Patches<float>;
template class Patches<double>;

}  // namespace doc2s
