declare i32 @pthread_create(ptr, ptr, ptr, ptr)

define i32 @main() {
  call void @pthread_create(ptr null, ptr @main, ptr @main, ptr null)
  ret i32 0
}
