#pragma once
#include <mutex>

#include "network.hpp"
#include "pictures.hpp"
#include "problems/torch.hpp"

namespace doc2s {

// F_i(x; ξ) is the network's loss on a batch ξ; x holds its parameters consecutively. More than
// `largest_chunk` samples are processed in equal parts, each with its own batch statistics.
template <class Real>
class TorchProblem : public Problem<Real> {
 public:
  TorchProblem(HeldImages train, Images test, const TorchSetting& setting);

  int clients() const override { return static_cast<int>(train_.shares.size()); }
  Index dimension() const override { return dimension_; }
  Index samples(int client) const override { return static_cast<Index>(train_.shares[client].size()); }
  double value(int client, std::span<const Index> batch, std::span<const Real> x,
               std::span<Real> gradient) const override;
  double loss(int client, std::span<const Index> batch, std::span<const Real> x) const override;
  void start(std::uint64_t seed, std::span<Real> x0) const override;
  Index row(int client, Index sample) const override { return train_.rows[client][sample]; }
  double accuracy(std::span<const Real> x) const override;
  std::optional<double> lower_bound(int) const override { return 0.0; }
  Index held_samples() const override { return train_.images.count(); }
  void state(State& state) const override;

 private:
  static constexpr Index largest_chunk = 256;

  using Tensors = std::vector<at::Tensor>;
  struct Replica;  // per-thread working copy
  class Borrowed;  // a replica for the duration of a call

  Use use_in_records() const;
  Tensors buffers_of(int client, Use use) const;
  void check_images() const;
  void check_outputs() const;
  at::Tensor outputs(Replica& replica, int client, Use use, Random* chance) const;
  at::Tensor mean_loss(const at::Tensor& outputs, const std::vector<std::int64_t>& labels) const;
  double chunk_value(Replica& replica, int client, std::span<const Index> chunk, Use use, double share,
                     std::span<Real> gradient) const;
  double mean_value(int client, std::span<const Index> batch, std::span<const Real> x,
                    std::span<Real> gradient, Use use) const;

  HeldImages train_;
  Images test_;
  TorchSetting setting_;
  ChannelScaling scaling_;
  std::vector<std::vector<std::int64_t>> shapes_;  // of the parameters
  Index dimension_ = 0;
  std::unique_ptr<Network> network_;  // prototype of the replicas
  Tensors start_buffers_;
  mutable std::vector<Tensors> running_;  // each client's buffers, if kept
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Replica>> free_;
};

}  // namespace doc2s
