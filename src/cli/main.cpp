// The tool: reads the command line, runs one command, and turns whatever goes wrong inside into exit code 70 (see also
// last_words.h).
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "cli/check_command.h"
#include "cli/last_words.h"
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

}  // namespace

int main(int argc, char** argv) {
  prepare_last_words(argc, argv);
  try {
    const int exit_code = run(read_command_line(argc, argv));
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? exit_code : report_unwritable();
  } catch (const std::bad_alloc&) {
    return report_out_of_memory();
  } catch (const std::system_error&) {
    return report_unwritable();  // what prints messages throws it
  } catch (const std::exception& error) {
    return report_internal_error(error.what());
  } catch (...) {
    return report_internal_error("unknown exception");
  }
}
