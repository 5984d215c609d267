#pragma once
#include <memory>
#include <span>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/base/threads.hpp"

namespace doc2s {

constexpr Index message_numbers =
    16384;  // that travel at once: while one lot is under way, another is worked on

// What a process sent to others.
struct Wire {
  Index bytes = 0;
  Index messages = 0;
};

// Numbers under way between processes. Those from one process to another arrive in the order of their
// sending.
template <class Real>
class Messages {
 public:
  virtual ~Messages() = default;
  virtual void send(int rank, std::span<const Real> numbers) = 0;
  virtual void receive(int rank, std::span<Real> numbers) = 0;
  virtual void wait() = 0;  // until all are there; before that, none of the numbers may be touched
};

// Which clients live in which process, and how their rows get from one to another. All but messages must be
// called by every process, in the same order.
template <class Real>
class Transport {
 public:
  virtual ~Transport() = default;

  virtual ClientRange clients() const = 0;    // those of this process
  virtual int rank_of(int client) const = 0;  // of the process that the client lives in
  virtual Threads& threads() const = 0;       // of this process
  virtual Wire wire() const = 0;              // what messages took so far
  virtual Index record_bytes() const = 0;     // what all else took: means, rows for records and outputs
  virtual std::unique_ptr<Messages<Real>> messages() = 0;

  // out = (1/n) Σ_i row i over all clients, folded in their order.
  virtual void mean(const Rows<Real>& rows, std::span<Real> out) const = 0;

  // A client's row, wherever the client lives, for every process; `room` may be used to hold it.
  virtual std::span<const Real> show(const Rows<Real>& rows, int client, std::vector<Real>& room) const = 0;
  // The same for the first process alone; the others get nothing.
  virtual std::span<const Real> bring(const Rows<Real>& rows, int client, std::vector<Real>& room) const = 0;
};

// One process holds all clients; of several, each holds a block of them. Throws Error where they are more
// than the clients.
template <class Real>
std::unique_ptr<Transport<Real>> make_transport(Processes& processes, int clients, Threads& threads);

// Clients of the process of this rank: contiguous blocks whose sizes differ by at most one.
ClientRange block_of(int rank, const Processes& processes, int clients);

}  // namespace doc2s
