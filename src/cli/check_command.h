// `heddle check`: is every allowed execution of the program fine?
#pragma once

#include "cli/options.h"

namespace heddle::cli {

int run_check(const CheckOptions& options);

}  // namespace heddle::cli
