// SPDX-License-Identifier: Apache-2.0
#include "mpi_transport.hpp"

#include "../row_sum.hpp"
#include "mpi_processes.hpp"

namespace doc2s {

namespace {

enum Tag { message_tag, fold_tag, row_tag };

template <class Number>
constexpr MPI_Datatype mpi_type() {
  return sizeof(Number) == 4 ? MPI_FLOAT : MPI_DOUBLE;
}

template <class Real>
class MpiMessages : public Messages<Real> {
 public:
  MpiMessages(MPI_Comm all, Wire& wire) : all_(all), wire_(wire) {}
  ~MpiMessages() override { wait(); }

  void send(int rank, std::span<const Real> numbers) override {
    MPI_Isend(numbers.data(), static_cast<int>(numbers.size()), mpi_type<Real>(), rank, message_tag, all_,
              &requests_.emplace_back());
    wire_.bytes += static_cast<Index>(numbers.size_bytes());
    wire_.messages += 1;
  }

  void receive(int rank, std::span<Real> numbers) override {
    MPI_Irecv(numbers.data(), static_cast<int>(numbers.size()), mpi_type<Real>(), rank, message_tag, all_,
              &requests_.emplace_back());
  }

  void wait() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

 private:
  MPI_Comm all_;
  Wire& wire_;
  std::vector<MPI_Request> requests_;
};

template <class Real>
class MpiTransport : public Transport<Real> {
 public:
  MpiTransport(MpiProcesses& processes, int clients, Threads& threads)
      : Transport<Real>(&processes),
        all_(processes.all()),
        rank_(processes.rank()),
        last_(processes.count() - 1),
        clients_(clients),
        here_(block_of(rank_, processes, clients)),
        threads_(threads) {
    for (int rank = 0; rank <= last_; ++rank)
      rank_of_.insert(rank_of_.end(), block_of(rank, processes, clients).count, rank);
  }

  ClientRange clients() const override { return here_; }
  int rank_of(int client) const override { return rank_of_[client]; }
  Threads& threads() const override { return threads_; }
  Wire wire() const override { return wire_; }
  Index record_bytes() const override { return record_bytes_; }
  std::unique_ptr<Messages<Real>> messages() override {
    return std::make_unique<MpiMessages<Real>>(all_, wire_);
  }

  // Partial sums go from the first process to the last, each adding its rows; the last one broadcasts the
  // mean.
  void mean(const Rows<Real>& rows, std::span<Real> out) const override {
    std::vector<double> sum;
    each_block(std::ssize(out), [&](Index first, Index width) {
      sum.assign(static_cast<std::size_t>(width), 0.0);
      const int size = static_cast<int>(width);
      if (rank_ > 0) MPI_Recv(sum.data(), size, MPI_DOUBLE, rank_ - 1, fold_tag, all_, MPI_STATUS_IGNORE);
      add_rows(rows, first, std::span(sum));
      if (rank_ < last_) MPI_Send(sum.data(), size, MPI_DOUBLE, rank_ + 1, fold_tag, all_);
      if (rank_ < last_) record_bytes_ += width * Index{sizeof(double)};
      for (Index c = 0; c < width; ++c) out[first + c] = static_cast<Real>(sum[c] / clients_);
    });
    broadcast(last_, out);
  }

  void share(int client, std::span<Real> numbers) const override { broadcast(rank_of_[client], numbers); }

  std::span<const Real> show(const Rows<Real>& rows, int client, std::vector<Real>& scratch) const override {
    scratch.resize(static_cast<std::size_t>(rows.dimension()));
    if (here_.contains(client)) std::ranges::copy(rows.row(client), scratch.begin());
    broadcast(rank_of_[client], scratch);
    return scratch;
  }

  std::span<const Real> bring(const Rows<Real>& rows, int client, std::vector<Real>& scratch) const override {
    if (here_.contains(client)) return rank_ == 0 ? rows.row(client) : send_to_first(rows.row(client));
    if (rank_ > 0) return {};
    scratch.resize(static_cast<std::size_t>(rows.dimension()));
    each_block(rows.dimension(), [&](Index first, Index width) {
      MPI_Recv(scratch.data() + first, static_cast<int>(width), mpi_type<Real>(), rank_of_[client], row_tag,
               all_, MPI_STATUS_IGNORE);
    });
    return scratch;
  }

 private:
  template <class F>
  static void each_block(Index dimension, const F& f) {
    for (Index first = 0; first < dimension; first += message_numbers)
      f(first, std::min(message_numbers, dimension - first));
  }

  void broadcast(int from, std::span<Real> numbers) const {
    each_block(std::ssize(numbers), [&](Index first, Index width) {
      MPI_Bcast(numbers.data() + first, static_cast<int>(width), mpi_type<Real>(), from, all_);
    });
    if (rank_ == from) record_bytes_ += last_ * static_cast<Index>(numbers.size_bytes());
  }

  std::span<const Real> send_to_first(std::span<const Real> row) const {
    each_block(std::ssize(row), [&](Index first, Index width) {
      MPI_Send(row.data() + first, static_cast<int>(width), mpi_type<Real>(), 0, row_tag, all_);
    });
    record_bytes_ += static_cast<Index>(row.size_bytes());
    return {};
  }

  MPI_Comm all_;
  int rank_, last_, clients_;
  ClientRange here_;
  std::vector<int> rank_of_;
  Threads& threads_;
  Wire wire_;
  mutable Index record_bytes_ = 0;
};

}  // namespace

template <class Real>
std::unique_ptr<Transport<Real>> make_mpi_transport(Processes& processes, int clients, Threads& threads) {
  return std::make_unique<MpiTransport<Real>>(dynamic_cast<MpiProcesses&>(processes), clients, threads);
}

template std::unique_ptr<Transport<float>> make_mpi_transport(Processes&, int, Threads&);
template std::unique_ptr<Transport<double>> make_mpi_transport(Processes&, int, Threads&);

}  // namespace doc2s
