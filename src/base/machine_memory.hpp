#pragma once

namespace doc2s {

double machine_memory();  // bytes of physical memory

}  // namespace doc2s
