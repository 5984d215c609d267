// SPDX-License-Identifier: Apache-2.0
#pragma once
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "doc2s/base/processes.hpp"

namespace doc2s {

// The processes of MPI_COMM_WORLD, from MPI_Init to MPI_Finalize, which are left to a program that has called
// MPI_Init itself.
class MpiProcesses : public Processes {
 public:
  MpiProcesses();
  ~MpiProcesses() override;

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int cores() const override { return cores_; }
  std::vector<std::string> gather(const std::string& mine) override;
  Index gathered_bytes() const override { return gathered_bytes_; }
  bool may_tell() override;
  void abandon(int exit_code) override;
  void desert() override { deserted_ = true; }
  void rejoin() override { deserted_ = false; }
  void leave() override;

  MPI_Comm all() const { return MPI_COMM_WORLD; }

 private:
  int rank_ = 0, count_ = 1, cores_ = 1;
  bool is_ours_ = true;  // MPI_Init was called here
  bool deserted_ = false;
  Index gathered_bytes_ = 0;
};

}  // namespace doc2s
