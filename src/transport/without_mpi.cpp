// Replaces the files in mpi/ in a build without MPI.
#include <stdexcept>

#include "doc2s/base/error.hpp"
#include "join.hpp"
#include "mpi_transport.hpp"

namespace doc2s {

std::unique_ptr<Processes> join_processes() {
  const std::string count = first_set({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
  if (launched_by_mpi() && !count.empty() && count != "1")
    throw Error("this doc2s was built without MPI, and " + count + " of it were started together", "",
                "start it as ./doc2s mpi " + count +
                    " run CONFIG.toml, or install Debian's libopenmpi-dev and build with -DDOC2S_MPI=ON");
  return std::make_unique<Processes>();
}

template <class Real>
std::unique_ptr<Transport<Real>> make_mpi_transport(Processes&, int, Threads&) {
  throw std::logic_error("built without MPI");
}

template std::unique_ptr<Transport<float>> make_mpi_transport(Processes&, int, Threads&);
template std::unique_ptr<Transport<double>> make_mpi_transport(Processes&, int, Threads&);

}  // namespace doc2s
