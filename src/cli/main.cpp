// The tool: reads the command line, runs one command, and turns whatever goes wrong inside into exit code 70.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include <fmt/format.h>

#include "cli/check_command.h"
#include "cli/models_command.h"
#include "cli/options.h"
#include "cli/replay_command.h"

namespace {

using namespace heddle::cli;

int run(const Command& command) {
  if (const auto* answer = std::get_if<Answer>(&command)) {
    std::fputs(answer->text.c_str(), answer->exit_code == 0 ? stdout : stderr);
    return answer->exit_code;
  }
  if (const auto* check = std::get_if<CheckOptions>(&command)) return run_check(*check);
  if (const auto* replay = std::get_if<ReplayOptions>(&command)) return run_replay(*replay);
  return run_models(std::get<ModelsOptions>(command));
}

int internal_error(int argc, char** argv, const char* what) {
  std::string input;
  for (int i = 1; i < argc; ++i) input += std::string(i == 1 ? "" : " ") + argv[i];
  std::fprintf(stderr,
               "heddle: internal error: %s\n"
               "  while running: heddle %s\n"
               "  This is a bug in Heddle, not in your program, and no verdict was reached.\n"
               "  Please report it, with the line above and the input files.\n",
               what, input.c_str());
  return exit_internal_error;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(read_command_line(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("heddle: out of memory\nverdict: unknown\n", stderr);
    return exit_unknown;
  } catch (const std::exception& error) {
    return internal_error(argc, argv, error.what());
  } catch (...) {
    return internal_error(argc, argv, "unknown exception");
  }
}
