// SPDX-License-Identifier: Apache-2.0
#include "mpi_processes.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "../shared_cores.hpp"

namespace doc2s {

namespace {

// A process that waits for a message asks for it again and again. Where another could use its core meanwhile,
// it lets that one go first. Open MPI knows this only where it started the processes itself, and by its own
// count of slots. What the user set stays.
void yield_where_cores_are_shared() {
  if (processes_share_cores()) setenv("OMPI_MCA_mpi_yield_when_idle", "1", /*overwrite=*/0);
}

// Cores for this process: each core it may run on, shared with the other processes of this machine that may
// use it.
int fair_share_of_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  std::vector<int> mine(CPU_SETSIZE), users(CPU_SETSIZE);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) mine[cpu] = CPU_ISSET(cpu, &allowed) ? 1 : 0;
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Allreduce(mine.data(), users.data(), CPU_SETSIZE, MPI_INT, MPI_SUM, machine);
  MPI_Comm_free(&machine);
  double share = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (mine[cpu]) share += 1.0 / users[cpu];
  return std::max(1, static_cast<int>(share + 1e-6));
}

}  // namespace

MpiProcesses::MpiProcesses() {
  int level = 0, begun = 0;
  MPI_Initialized(&begun);
  is_ours_ = begun == 0;
  if (is_ours_) yield_where_cores_are_shared();
  if (is_ours_) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(all(), &rank_);
  MPI_Comm_size(all(), &count_);
  cores_ = fair_share_of_cores();
}

MpiProcesses::~MpiProcesses() {
  leave();
  if (is_ours_) MPI_Finalize();
}

// Others may wait for a message from a process that left a run by an exception; they end with it.
void MpiProcesses::leave() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (deserted_ && !finalized) MPI_Abort(all(), 1);
}

std::vector<std::string> MpiProcesses::gather(const std::string& mine) {
  std::vector<int> sizes(count_), first(count_);
  const int size = static_cast<int>(mine.size());
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, all());
  std::exclusive_scan(sizes.begin(), sizes.end(), first.begin(), 0);
  std::string bytes(static_cast<std::size_t>(first.back()) + sizes.back(), '\0');
  MPI_Allgatherv(mine.data(), size, MPI_BYTE, bytes.data(), sizes.data(), first.data(), MPI_BYTE, all());
  gathered_bytes_ += static_cast<Index>(count_ - 1) * size;
  std::vector<std::string> by_rank;
  for (int r = 0; r < count_; ++r) by_rank.push_back(bytes.substr(first[r], sizes[r]));
  return by_rank;
}

bool MpiProcesses::may_tell() {
  constexpr int told_tag = 100;
  MPI_Request unwatched;
  for (int rank = rank_ + 1; rank < count_; ++rank)
    MPI_Isend(nullptr, 0, MPI_BYTE, rank, told_tag, all(), &unwatched);
  int told = 0;
  for (int tenths = 0; tenths < 3 && !told && !is_first(); ++tenths) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    MPI_Iprobe(MPI_ANY_SOURCE, told_tag, all(), &told, MPI_STATUS_IGNORE);
  }
  return !told;
}

void MpiProcesses::abandon(int exit_code) { MPI_Abort(all(), exit_code); }

}  // namespace doc2s
