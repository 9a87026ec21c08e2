; LLVM assembly with an error, for input_broken_assembly.c.
define i32 @main() {
  ret i33 0
}
