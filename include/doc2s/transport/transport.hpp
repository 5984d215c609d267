// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/transport/divergence.hpp"

namespace doc2s {

constexpr Index message_numbers = 16384;  // numbers per chunk: one chunk is sent while another is processed

// Traffic sent by a process.
struct Wire {
  Index bytes = 0;
  Index messages = 0;
};

// Non-blocking messages between processes. Messages from one process to another arrive in the order sent.
template <class Real>
class Messages {
 public:
  virtual ~Messages() = default;
  virtual void send(int rank, std::span<const Real> numbers) = 0;
  virtual void receive(int rank, std::span<Real> numbers) = 0;
  virtual void wait() = 0;  // until all have arrived; the buffers must not be touched before
};

// Maps clients to processes and moves rows between them. Except for messages, every process must call the
// functions in the same order.
template <class Real>
class Transport {
 public:
  explicit Transport(Processes* several = nullptr) : divergence_(several) {}  // null: a process alone
  virtual ~Transport() = default;

  Divergence& divergence() { return divergence_; }

  virtual ClientRange clients() const = 0;    // of this process
  virtual int rank_of(int client) const = 0;  // of the client's process
  virtual Threads& threads() const = 0;
  virtual Wire wire() const = 0;           // traffic of messages so far
  virtual Index record_bytes() const = 0;  // all other traffic: means, rows for records and outputs
  virtual std::unique_ptr<Messages<Real>> messages() = 0;

  // out = (1/n) Σ_i row i over all clients, summed in client order.
  virtual void mean(const Rows<Real>& rows, std::span<Real> out) const = 0;

  // Numbers that the client's process has, to every process. Counted among record_bytes().
  virtual void share(int client, std::span<Real> numbers) const = 0;

  // A client's row, broadcast to every process, in `scratch` if it is not local.
  virtual std::span<const Real> show(const Rows<Real>& rows, int client,
                                     std::vector<Real>& scratch) const = 0;
  // The same, but only the first process receives the row.
  virtual std::span<const Real> bring(const Rows<Real>& rows, int client,
                                      std::vector<Real>& scratch) const = 0;

 private:
  Divergence divergence_;
};

// A single process holds all clients; otherwise each process holds a block. Throws Error if there are more
// processes than clients.
template <class Real>
std::unique_ptr<Transport<Real>> make_transport(Processes& processes, int clients, Threads& threads);

// The clients of this rank: contiguous blocks whose sizes differ by at most one.
ClientRange block_of(int rank, const Processes& processes, int clients);

}  // namespace doc2s
