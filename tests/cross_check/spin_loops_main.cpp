// Compares random programs with and without the treatment of loops that wait: spin_loops [FIRST-SEED [COUNT]].
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "spin_loops.h"

int main(int argc, char** argv) {
  using namespace heddle::cross_check;
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2000;
  std::uint64_t compared = 0, left_out = 0, waited = 0, pruned = 0, undone = 0, differ = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    for (const ReferenceModel model :
         {ReferenceModel::sc, ReferenceModel::tso, ReferenceModel::ra, ReferenceModel::rc11}) {
      const SpinComparison result = compare_spinning(seed, model, 5000);
      left_out += result.left_out;
      compared += !result.left_out;
      waited += !result.left_out && result.waited;
      pruned += !result.left_out && result.pruned;
      undone += !result.left_out && result.undone;
      if (result.difference.empty()) continue;
      ++differ;
      std::printf("DIFFERENT %s\n", result.difference.c_str());
    }
  }
  std::printf("%llu programs under 4 models: %llu compared, in %llu of them a loop waited, in %llu a futile exploration "
              "was cut short, in %llu a loop that changes memory waited, %llu left out, %llu differ\n",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(waited), static_cast<unsigned long long>(pruned),
              static_cast<unsigned long long>(undone),
              static_cast<unsigned long long>(left_out), static_cast<unsigned long long>(differ));
  return differ == 0 ? 0 : 1;
}
