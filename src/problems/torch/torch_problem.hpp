// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>

#include "network.hpp"
#include "pictures.hpp"
#include "problems/torch.hpp"

namespace doc2s {

// F_i(x; ξ) is the network's loss on a batch ξ; x holds its parameters consecutively. More than
// `largest_chunk` samples are processed in equal parts, each with its own batch statistics.
template <class Real>
class TorchProblem : public InputsProblem<Real> {
 public:
  TorchProblem(HeldInputs train, Inputs test, const TorchSetting& setting);

  Index dimension() const override { return dimension_; }
  double value(int client, std::span<const Index> batch, std::span<const Real> x,
               std::span<Real> gradient) const override;
  double loss(int client, std::span<const Index> batch, std::span<const Real> x) const override;
  void start(std::uint64_t seed, std::span<Real> x0) const override;
  std::vector<double> outputs(const Inputs& inputs, std::span<const Real> x) const override;
  void state(State& state) const override;

 private:
  static constexpr Index largest_chunk = 256;

  using Tensors = std::vector<at::Tensor>;
  using InputsProblem<Real>::train_;
  struct Replica;  // per-thread working copy
  class Borrowed;  // a replica for the duration of a call

  Use use_in_records() const;
  Tensors buffers_of(int client, Use use) const;
  void forget_running_statistics();
  void check_images() const;
  void check_outputs() const;
  at::Tensor forward(Replica& replica, int client, Use use, Random* chance) const;
  at::Tensor mean_loss(const at::Tensor& outputs, const Replica& replica) const;
  double chunk_value(Replica& replica, int client, std::span<const Index> chunk, Use use, double share,
                     std::span<Real> gradient) const;
  double mean_value(int client, std::span<const Index> batch, std::span<const Real> x,
                    std::span<Real> gradient, Use use) const;

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
