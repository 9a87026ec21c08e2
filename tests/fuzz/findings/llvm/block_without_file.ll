; ModuleID = 'block.c'
source_filename = "block.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@x = dso_local global i32 0, align 4, !dbg !0

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !15 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !19, !DIExpression(), !21)
  %3 = load i32, ptr @x, align 4, !dbg !22
  store i32 %3, ptr %2, align 4, !dbg !21
  %4 = load i32, ptr %2, align 4, !dbg !23
  %5 = add nsw i32 %4, 1, !dbg !25
  store i32 %5, ptr @x, align 4, !dbg !26
  ret i32 0, !dbg !27
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7, !8, !9, !10, !11, !12, !13}
!llvm.ident = !{!14}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !5, line: 1, type: !6, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "block.c", directory: ".", checksumkind: CSK_MD5, checksum: "fef9ba99bd2aa2ee9a43c637a522f145")
!4 = !{!0}
!5 = !DIFile(filename: "block.c", directory: "", checksumkind: CSK_MD5, checksum: "fef9ba99bd2aa2ee9a43c637a522f145")
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{i32 7, !"Dwarf Version", i32 5}
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = !{i32 1, !"wchar_size", i32 4}
!10 = !{i32 8, !"PIC Level", i32 2}
!11 = !{i32 7, !"PIE Level", i32 2}
!12 = !{i32 7, !"uwtable", i32 2}
!13 = !{i32 7, !"frame-pointer", i32 2}
!14 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!15 = distinct !DISubprogram(name: "main", scope: !5, file: !5, line: 2, type: !16, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !18)
!16 = !DISubroutineType(types: !17)
!17 = !{!6}
!18 = !{}
!19 = !DILocalVariable(name: "y", scope: !20, file: !5, line: 2, type: !6)
!20 = distinct !DILexicalBlock(scope: !15, file: !5, line: 2, column: 18)
!21 = !DILocation(line: 2, column: 24, scope: !20)
!22 = !DILocation(line: 2, column: 28, scope: !20)
!23 = !DILocation(line: 2, column: 37, scope: !24)
!24 = distinct !DILexicalBlock(scope: !20, file: !6, line: 2, column: 31)
!25 = !DILocation(line: 2, column: 39, scope: !24)
!26 = !DILocation(line: 2, column: 35, scope: !24)
!27 = !DILocation(line: 2, column: 48, scope: !15)
