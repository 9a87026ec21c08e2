// cross_check: compares the tool with the reference on any number of programs. Exit code 0: they agree, 1: they differ
// (each difference is printed, shrunk), 2: bad arguments.
#include <charconv>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "compare.h"
#include "random_program.h"
#include "small_programs.h"

namespace heddle::cross_check {
namespace {

const char usage[] =
    "cross_check [options] [FILE.litmus-text ...]\n"
    "  --seed S              first seed (1)\n"
    "  --count N             random programs (300; 0 if files or --exhaustive-small are given)\n"
    "  --events E            events of a random program (8)\n"
    "  --feature F           what random programs are about: basic, trylock, barrier, heap, choose, assume, threads, "
    "sequence or mixed\n"
    "                        (basic)\n"
    "  --model M             a name that `heddle models` lists, or all (all)\n"
    "  --exhaustive-small    every program of 2 threads x --length operations\n"
    "  --length L            operations a thread for --exhaustive-small (2)\n"
    "  --more-orders         a longer menu for --exhaustive-small\n"
    "  --quick               defaults and everything-off only, not each switch\n"
    "  --compiled            also with the model compiled for every single program (slow)\n"
    "  --tso-failed-cas-reads    let the reference take a failed compare-exchange for an ordinary read\n"
    "  --failed-trylock-relaxed  let the reference take a failed trylock for a relaxed read\n"
    "  --failures F          stop after F failing programs (5)\n";

struct Arguments {
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> count;
  RandomProgramOptions random;
  std::vector<ReferenceModel> models{std::begin(all_models), std::end(all_models)};
  bool exhaustive = false;
  SmallProgramOptions small;
  ComparisonOptions comparison;
  std::uint64_t failures = 5;
  std::vector<std::string> files;
};

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Arguments> parse_arguments(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; i++) {
    const std::string name = values[i];
    if (name == "--exhaustive-small") {
      arguments.exhaustive = true;
    } else if (name == "--more-orders") {
      arguments.small.more_orders = true;
    } else if (name == "--quick") {
      arguments.comparison.each_switch = false;
    } else if (name == "--compiled") {
      arguments.comparison.compiled = true;
    } else if (name == "--tso-failed-cas-reads") {
      arguments.comparison.models.failed_compare_exchange_drains = false;
    } else if (name == "--failed-trylock-relaxed") {
      arguments.comparison.models.failed_trylock_acquires = false;
    } else if (!name.starts_with("--")) {
      arguments.files.push_back(name);
    } else if (i + 1 >= count) {
      return std::nullopt;
    } else if (name == "--feature") {
      const std::optional<Feature> feature = feature_called(values[++i]);
      if (!feature) return std::nullopt;
      arguments.random.feature = *feature;
    } else if (name == "--model") {
      const std::string model = values[++i];
      if (model == "all") continue;
      if (!model_called(model)) return std::nullopt;
      arguments.models = {*model_called(model)};
    } else {
      const std::optional<std::uint64_t> number = number_in(values[++i]);
      if (!number) return std::nullopt;
      if (name == "--seed")
        arguments.seed = *number;
      else if (name == "--count")
        arguments.count = *number;
      else if (name == "--failures")
        arguments.failures = *number;
      else if (name == "--events" && *number >= 2 && *number <= 16)
        arguments.random.event_limit = static_cast<int>(*number);
      else if (name == "--length" && *number >= 1 && *number <= 4)
        arguments.small.length = static_cast<int>(*number);
      else
        return std::nullopt;
    }
  }
  return arguments;
}

class Session {
 public:
  explicit Session(const Arguments& arguments) : arguments_(arguments) {}

  // False once enough has failed.
  bool check(const LitmusProgram& program, const std::string& name) {
    programs_++;
    if (!compare(program, arguments_.models, arguments_.comparison).empty()) {
      failures_++;
      std::printf("%s\n%s\n", name.c_str(), explain_failure(program, arguments_.models, arguments_.comparison).c_str());
      std::fflush(stdout);
    }
    return failures_ < arguments_.failures;
  }

  bool check_file(const std::string& file) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    const Result<LitmusProgram> program = parse_program(text.str(), file);
    if (stream && program) return check(*program, file);
    const std::string problem = stream ? program.problems()[0].message : "cannot be read";
    std::fprintf(stderr, "%s: %s\n", file.c_str(), problem.c_str());
    failures_++;
    return failures_ < arguments_.failures;
  }

  int finish() const {
    std::printf("%llu programs, %llu differ\n", static_cast<unsigned long long>(programs_),
                static_cast<unsigned long long>(failures_));
    return failures_ == 0 ? 0 : 1;
  }

 private:
  const Arguments& arguments_;
  std::uint64_t programs_ = 0, failures_ = 0;
};

int run(const Arguments& arguments) {
  Session session(arguments);
  for (const std::string& file : arguments.files) {
    if (!session.check_file(file)) return session.finish();
  }
  if (arguments.exhaustive) {
    bool go_on = true;
    for_each_small_program(arguments.small, [&](const LitmusProgram& program) {
      go_on = session.check(program, "small program");
      return go_on;
    });
    if (!go_on) return session.finish();
  }
  const bool only_others = arguments.exhaustive || !arguments.files.empty();
  const std::uint64_t count = arguments.count.value_or(only_others ? 0 : 300);
  for (std::uint64_t seed = arguments.seed; seed < arguments.seed + count; seed++) {
    const LitmusProgram program = random_program(seed, arguments.random);
    if (!session.check(program, "seed " + std::to_string(seed))) break;
  }
  return session.finish();
}

}  // namespace
}  // namespace heddle::cross_check

int main(int count, char** values) {
  const auto arguments = heddle::cross_check::parse_arguments(count, values);
  if (!arguments) {
    std::fputs(heddle::cross_check::usage, stderr);
    return 2;
  }
  return heddle::cross_check::run(*arguments);
}
