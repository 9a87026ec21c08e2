; // expect rc11: verified 1
; // LLVM assembly is taken as it is: one atomic store, one load of the same thread.
target triple = "x86_64-pc-linux-gnu"
@x = global i32 0, align 4
define i32 @main() {
  store atomic i32 3, ptr @x release, align 4
  %value = load atomic i32, ptr @x acquire, align 4
  %right = icmp eq i32 %value, 3
  br i1 %right, label %good, label %bad
good:
  ret i32 0
bad:
  call void @abort()
  unreachable
}
declare void @abort()
