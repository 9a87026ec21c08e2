// metamorphic: checks the relations of metamorphic.h on random programs. Run by tests/metamorphic. Exit code 0: all hold,
// 1: one does not (printed), 2: bad arguments.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>

#include "metamorphic.h"

namespace heddle::cross_check {
namespace {

const char usage[] =
    "metamorphic [options]\n"
    "  --seed S         first seed (1)\n"
    "  --count N        random programs (100)\n"
    "  --events E       events of a program (16)\n"
    "  --variants V     variants of each kind (3)\n"
    "  --executions X   leave out programs with more executions than this (3000)\n"
    "  --model-order    print the pairs of models, stronger first, that are relied on\n";

int print_order() {
  for (const StrongerModel& pair : order_of_models()) std::printf("%s %s\n", name_of(pair.strong), name_of(pair.weak));
  return 0;
}

int run(int count, char** values) {
  std::uint64_t seed = 1, programs = 100, events = 16, variants = 3, executions = 3000;
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    if (name == "--model-order") return print_order();
    std::uint64_t* number = name == "--seed"         ? &seed
                            : name == "--count"      ? &programs
                            : name == "--events"     ? &events
                            : name == "--variants"   ? &variants
                            : name == "--executions" ? &executions
                                                     : nullptr;
    const char* text = i + 1 < count ? values[++i] : "";
    const char* end = text + std::strlen(text);
    if (number == nullptr || text == end || std::from_chars(text, end, *number).ptr != end || events > 24) {
      std::fputs(usage, stderr);
      return 2;
    }
  }
  MetamorphicOptions options;
  options.variants = static_cast<int>(variants);
  options.most_executions = executions;
  std::uint64_t comparisons = 0, left_out = 0, differences = 0;
  for (std::uint64_t at = seed; at < seed + programs; ++at) {
    const MetamorphicResult result = check_relations(metamorphic_program(at, static_cast<int>(events)), at, options);
    comparisons += result.comparisons;
    left_out += result.left_out;
    differences += result.differences.size();
    if (!result.differences.empty())
      std::printf("seed %llu\n%s\n", static_cast<unsigned long long>(at), result.differences.front().c_str());
  }
  std::printf("%llu programs, %llu comparisons, %llu pairs of program and model left out, %llu differences\n",
              static_cast<unsigned long long>(programs), static_cast<unsigned long long>(comparisons),
              static_cast<unsigned long long>(left_out), static_cast<unsigned long long>(differences));
  return differences == 0 ? 0 : 1;
}

}  // namespace
}  // namespace heddle::cross_check

int main(int count, char** values) { return heddle::cross_check::run(count, values); }
