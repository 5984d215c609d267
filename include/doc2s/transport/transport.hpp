#pragma once
#include <span>

#include "doc2s/base/rows.hpp"
#include "doc2s/base/threads.hpp"

namespace doc2s {

// Which clients live in this process, and what their rows sum to.
template <class Real>
class Transport {
 public:
  virtual ~Transport() = default;

  virtual ClientRange clients() const = 0;  // those of this process
  virtual Threads& threads() const = 0;     // of this process
  virtual Index wire_bytes() const = 0;     // what was sent to other processes so far

  // out = (1/n) Σ_i row i over all clients, folded in their order.
  virtual void mean(const Rows<Real>& rows, std::span<Real> out) const = 0;
};

}  // namespace doc2s
