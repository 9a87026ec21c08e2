; ModuleID = 'element.c'
source_filename = "element.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@y = dso_local global i32 0, align 4, !dbg !0
@x = dso_local global [3 x i32] zeroinitializer, align 4, !dbg !5

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !21 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  %3 = load i32, ptr @y, align 4, !dbg !25
  store i32 %3, ptr @x, align 4, !dbg !26
    #dbg_declare(ptr %2, !27, !DIExpression(), !29)
  %4 = load i32, ptr getelementptr inbounds ([3 x i32], ptr @x, i64 0, i64 1), align 4, !dbg !30
  store i32 %4, ptr %2, align 4, !dbg !29
  %5 = load i32, ptr %2, align 4, !dbg !31
  store i32 %5, ptr @y, align 4, !dbg !32
  ret i32 0, !dbg !33
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!13, !14, !15, !16, !17, !18, !19}
!llvm.ident = !{!20}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !7, line: 1, type: !12, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "element.c", directory: ".", checksumkind: CSK_MD5, checksum: "3e5d32c14da3ab0b077d64716659ee62")
!4 = !{!5, !0}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !7, line: 1, type: !8, isLocal: false, isDefinition: true)
!7 = !DIFile(filename: "element.c", directory: "", checksumkind: CSK_MD5, checksum: "3e5d32c14da3ab0b077d64716659ee62")
!8 = !DICompositeType(tag: DW_TAG_array_type, baseType: !9, size: 96, elements: !10)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !{!"x", null, !11}
!11 = !DISubrange(count: 3)
!12 = !DIDerivedType(tag: DW_TAG_typedef, name: "number", file: !7, line: 1, baseType: !9)
!13 = !{i32 7, !"Dwarf Version", i32 5}
!14 = !{i32 2, !"Debug Info Version", i32 3}
!15 = !{i32 1, !"wchar_size", i32 4}
!16 = !{i32 8, !"PIC Level", i32 2}
!17 = !{i32 7, !"PIE Level", i32 2}
!18 = !{i32 7, !"uwtable", i32 2}
!19 = !{i32 7, !"frame-pointer", i32 2}
!20 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!21 = distinct !DISubprogram(name: "main", scope: !7, file: !7, line: 2, type: !22, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !24)
!22 = !DISubroutineType(types: !23)
!23 = !{!9}
!24 = !{}
!25 = !DILocation(line: 2, column: 25, scope: !21)
!26 = !DILocation(line: 2, column: 23, scope: !21)
!27 = !DILocalVariable(name: "z", scope: !28, file: !7, line: 2, type: !9)
!28 = distinct !DILexicalBlock(scope: !21, file: !7, line: 2, column: 28)
!29 = !DILocation(line: 2, column: 34, scope: !28)
!30 = !DILocation(line: 2, column: 38, scope: !28)
!31 = !DILocation(line: 2, column: 48, scope: !28)
!32 = !DILocation(line: 2, column: 46, scope: !28)
!33 = !DILocation(line: 2, column: 53, scope: !21)
