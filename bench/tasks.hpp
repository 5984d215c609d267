#pragma once
#include "bench.hpp"

namespace doc2s::bench {

Task gossip_task();
Task a9a_task();
Task mlp_task();
Task scaling_task();
Task reading_task();

}  // namespace doc2s::bench
