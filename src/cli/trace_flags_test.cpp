#include "cli/trace_flags.h"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

using Flags = std::vector<std::string>;

TEST(TraceFlags, OrdinaryOnesPass) {
  EXPECT_EQ(forbidden_flag({}), std::nullopt);
  EXPECT_EQ(forbidden_flag({"-ffp-contract=off"}), std::nullopt);
  EXPECT_EQ(
      forbidden_flag({"-DN=3", "-D", "M=x,y", "-I", "@folder", "-Iinclude", "-std=c11", "-Wall", "-Wno-unused", "-O2",
                      "-g", "-m64", "-fno-builtin", "-include", "header.h", "-x", "c++", "-pthread", "-w"}),
      std::nullopt);
}

TEST(TraceFlags, WhatRunsCodeOrWritesFilesDoesNot) {
  for (const char* flag : {"-fplugin=evil.so",
                           "-fpass-plugin=evil.so",
                           "-Xclang",
                           "-load",
                           "-o",
                           "-ofile",
                           "-MF",
                           "-MD",
                           "-Wp,-MD,file",
                           "-Wl,-o,file",
                           "@file",
                           "other.c",
                           "-save-temps",
                           "-gsplit-dwarf",
                           "-ftime-trace",
                           "-mllvm",
                           "-B.",
                           "-specs=x",
                           "-fsave-optimization-record",
                           "--serialize-diagnostics",
                           "-fmodules",
                           "-cc1",
                           "-###",
                           ""}) {
    EXPECT_EQ(forbidden_flag({"-DN=3", flag, "-w"}), std::string(flag));
  }
}

TEST(TraceFlags, AWordThatBelongsToAnOptionIsNoOption) {
  EXPECT_EQ(forbidden_flag({"-D", "-fplugin=evil.so"}), std::nullopt);  // clang takes it as the macro's name
  EXPECT_EQ(forbidden_flag({"-D"}), std::nullopt);
}

}  // namespace
}  // namespace heddle::cli
