// Puts an object file into executable memory (LLVM's ORC) and finds its two functions.
#pragma once

#include <optional>
#include <string>

#include "consistency/native_code.h"

namespace heddle::consistency::native {

// Fills in the functions and their owner. Nothing, and `problem` says why, if the object cannot be linked.
std::optional<NativeCode> link_object(const std::string& object, std::string& problem);

}  // namespace heddle::consistency::native
