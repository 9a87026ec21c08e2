// expect: exit 3 at here message "llvm.vector.reduce"
// A vector operation that is not supported is named.
typedef int ints __attribute__((vector_size(16)));
int main(void) {
  volatile ints x = {1, 2, 3, 4};
  return __builtin_reduce_add((ints)x) != 10;  // here
}
