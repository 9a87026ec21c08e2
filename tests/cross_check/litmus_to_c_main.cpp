// litmus_to_c: random litmus programs as C files that say what is to be expected of them, for tests/random_c/run.
// Exit code 0: the files are written, 2: bad arguments.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "print_c.h"
#include "random_program.h"
#include "shrink.h"

namespace heddle::cross_check {
namespace {

const char usage[] =
    "litmus_to_c --output FOLDER [options]\n"
    "  --seed S          first seed (1)\n"
    "  --count N         programs (20). Those without errors go into one file, threads_S.c; each of the others into one\n"
    "                    of its own, wrong_SEED.c, told about under the first two models only\n"
    "  --model M,...     the models to tell about (sc,tso,rc11)\n"
    "  --alone           one file a program\n"
    "  --shrink COMMAND  make the program of the first seed as small as it can be while COMMAND FOLDER fails; then the\n"
    "                    folder has it as C, and as shrunk.litmus-text\n";

struct Arguments {
  std::string folder;
  std::uint64_t seed = 1, count = 20;
  std::vector<ReferenceModel> models{ReferenceModel::sc, ReferenceModel::tso, ReferenceModel::rc11};
  bool alone = false;
  std::string shrink_command;
};

bool parse_models(const std::string& text, std::vector<ReferenceModel>& models) {
  models.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::optional<ReferenceModel> model = model_called(text.substr(begin, end - begin));
    if (!model) return false;
    models.push_back(*model);
    begin = end + 1;
  }
  return true;
}

std::optional<Arguments> parse_arguments(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; i++) {
    const std::string name = values[i];
    if (name == "--alone") {
      arguments.alone = true;
      continue;
    }
    if (++i >= count) return std::nullopt;
    const std::string value = values[i];
    if (name == "--output") {
      arguments.folder = value;
    } else if (name == "--shrink") {
      arguments.shrink_command = value;
    } else if (name == "--model") {
      if (!parse_models(value, arguments.models)) return std::nullopt;
    } else if (name == "--seed" || name == "--count") {
      std::uint64_t& number = name == "--seed" ? arguments.seed : arguments.count;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  if (arguments.folder.empty()) return std::nullopt;
  return arguments;
}

class Writer {
 public:
  explicit Writer(const Arguments& arguments) : arguments_(arguments) {}

  bool write(const std::string& name, const std::string& text) {
    std::ofstream file(arguments_.folder + "/" + name);
    file << text;
    if (!file.flush()) std::fprintf(stderr, "litmus_to_c: cannot write %s/%s\n", arguments_.folder.c_str(), name.c_str());
    return static_cast<bool>(file);
  }

  // False: nothing is known about the program.
  bool write_program(const std::string& name, const LitmusProgram& program, const std::string& expectations) {
    return write(name, expectations + print_c({program}));
  }

  bool write_all() {
    std::vector<LitmusProgram> good;
    std::string seeds;
    for (std::uint64_t seed = arguments_.seed; seed < arguments_.seed + arguments_.count; seed++) {
      const LitmusProgram program = random_program(seed, {.feature = feature_at_turn(seed)});
      if (!can_be_printed_as_c(program)) continue;
      std::string expectations = print_expectations({program}, arguments_.models);
      if (expectations.empty()) continue;
      const bool is_wrong = expectations.find("violated") != std::string::npos;
      if (!is_wrong && !arguments_.alone) {
        good.push_back(program);
        seeds += (seeds.empty() ? "" : ",") + std::to_string(seed);
        continue;
      }
      if (is_wrong && !arguments_.alone && arguments_.models.size() > 2) {
        const std::vector<ReferenceModel> first(arguments_.models.begin(), arguments_.models.begin() + 2);
        expectations = print_expectations({program}, first);
      }
      const std::string name = std::string(is_wrong ? "wrong_" : "good_") + std::to_string(seed) + ".c";
      if (!write_program(name, program, expectations + "// seeds " + std::to_string(seed) + "\n")) return false;
    }
    if (good.empty()) return true;
    return write("threads_" + std::to_string(arguments_.seed) + ".c",
                 print_expectations(good, arguments_.models) + "// seeds " + seeds + "\n" + print_c(good));
  }

  // The folder must be the command's alone.
  bool shrink_first() {
    const auto fails = [&](const LitmusProgram& program) {
      const std::string expectations = print_expectations({program}, arguments_.models);
      if (program.threads.empty() || expectations.empty()) return false;
      return write_program("shrunk.c", program, expectations) &&
             std::system((arguments_.shrink_command + " " + arguments_.folder + " >/dev/null 2>&1").c_str()) != 0;
    };
    const LitmusProgram program = random_program(arguments_.seed, {.feature = feature_at_turn(arguments_.seed)});
    if (!fails(program)) {
      std::fprintf(stderr, "litmus_to_c: the program of seed %llu does not fail\n",
                   static_cast<unsigned long long>(arguments_.seed));
      return false;
    }
    const LitmusProgram small = shrink(program, fails);
    return write_program("shrunk.c", small, print_expectations({small}, arguments_.models)) &&
           write("shrunk.litmus-text", print_program(small));
  }

 private:
  const Arguments& arguments_;
};

}  // namespace
}  // namespace heddle::cross_check

int main(int count, char** values) {
  const auto arguments = heddle::cross_check::parse_arguments(count, values);
  if (!arguments) {
    std::fputs(heddle::cross_check::usage, stderr);
    return 2;
  }
  heddle::cross_check::Writer writer(*arguments);
  return (arguments->shrink_command.empty() ? writer.write_all() : writer.shrink_first()) ? 0 : 2;
}
