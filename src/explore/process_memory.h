// How much memory this process uses right now.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace heddle::explore {

inline std::uint64_t resident_megabytes() {
  unsigned long total = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu %lu", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) >> 20;
}

}  // namespace heddle::explore
