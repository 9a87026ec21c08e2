// expect: exit 3 message "broken.ll:3"
// files: parts/broken.ll
// LLVM assembly with an error in its third line.
