// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doc2s/base/error.hpp"
#include "doc2s/transport/in_process.hpp"
#include "mpi_parts.hpp"

namespace doc2s {

ClientRange block_of(int rank, const Processes& processes, int clients) {
  const auto first = [&](int r) {
    return static_cast<int>(static_cast<Index>(clients) * r / processes.count());
  };
  return {first(rank), first(rank + 1) - first(rank)};
}

template <class Real>
std::unique_ptr<Transport<Real>> make_transport(Processes& processes, int clients, Threads& threads) {
  if (processes.count() == 1) return std::make_unique<InProcess<Real>>(clients, threads);
  if (processes.count() > clients)
    throw Error(fmt::format("{} processes were started for {} clients", processes.count(), clients), "mpirun",
                fmt::format("start at most {}, one for each client", clients));
  if constexpr (std::is_same_v<Real, float>)
    return mpi_parts()->make_float(processes, clients, threads);
  else
    return mpi_parts()->make_double(processes, clients, threads);
}

template std::unique_ptr<Transport<float>> make_transport(Processes&, int, Threads&);
template std::unique_ptr<Transport<double>> make_transport(Processes&, int, Threads&);

}  // namespace doc2s
