// The ends that no catch clause sees: signals, a stack that overflows, exceptions that no one may throw, LLVM giving
// up. Each becomes a message and an exit code of the contract. Tested by tests/limits_test.py.
#pragma once

namespace heddle::cli {

// Call once, before anything else. From then on
//  * standard input, output and error are open: no other file can take their numbers;
//  * a file that may not grow is an error of writing, not the end (SIGXFSZ);
//  * SIGINT and SIGTERM end with verdict `unknown`;
//  * a crash says so and ends with exit code 70, or 3 if LLVM crashes on a file that it reads;
//  * running out of memory ends with verdict `unknown`, wherever it happens.
void prepare_last_words(int argc, char** argv);

int report_internal_error(const char* what);
int report_out_of_memory();
int report_unwritable();

}  // namespace heddle::cli
