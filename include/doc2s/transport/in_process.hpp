// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// All clients in one process. Nothing is sent.
template <class Real>
class InProcess : public Transport<Real> {
 public:
  InProcess(int clients, Threads& threads) : clients_(clients), threads_(threads) {}

  ClientRange clients() const override { return {0, clients_}; }
  int rank_of(int) const override { return 0; }
  Threads& threads() const override { return threads_; }
  Wire wire() const override { return {}; }
  Index record_bytes() const override { return 0; }
  std::unique_ptr<Messages<Real>> messages() override;

  void mean(const Rows<Real>& rows, std::span<Real> out) const override;
  void share(int, std::span<Real>) const override {}
  std::span<const Real> show(const Rows<Real>& rows, int client, std::vector<Real>&) const override {
    return rows.row(client);
  }
  std::span<const Real> bring(const Rows<Real>& rows, int client, std::vector<Real>&) const override {
    return rows.row(client);
  }

 private:
  int clients_;
  Threads& threads_;
};

}  // namespace doc2s
