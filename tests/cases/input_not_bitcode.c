// expect: exit 3 message "garbage.bc"
// files: parts/garbage.bc
// Bytes that are no bitcode give a message, not a crash.
