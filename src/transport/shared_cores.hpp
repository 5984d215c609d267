// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace doc2s {

// Processes of this job on this machine, as mpirun or srun put it into the environment; 0: it does not say.
int processes_on_this_machine();

// Whether so many processes must share cores, where each may run on `mine` of the `all` that the job has
// here: if each had its own, there would be at least processes · mine.
bool must_share_cores(int processes, int mine, int all);

// The same for the processes of this job on this machine.
bool processes_share_cores();

}  // namespace doc2s
