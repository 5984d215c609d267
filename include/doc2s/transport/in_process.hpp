#pragma once
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// All clients in one process; nothing is sent.
template <class Real>
class InProcess : public Transport<Real> {
 public:
  InProcess(int clients, Threads& threads) : clients_(clients), threads_(threads) {}

  ClientRange clients() const override { return {0, clients_}; }
  Threads& threads() const override { return threads_; }
  Index wire_bytes() const override { return 0; }
  void mean(const Rows<Real>& rows, std::span<Real> out) const override;

 private:
  int clients_;
  Threads& threads_;
};

}  // namespace doc2s
