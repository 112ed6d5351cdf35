target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare double @llvm.sqrt.f64(double)
declare double @llvm.fma.f64(double,double,double)
declare double @llvm.floor.f64(double)
declare double @llvm.minnum.f64(double,double)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.fshl.i32(i32,i32,i32)
declare i64 @llvm.bitreverse.i64(i64)
declare void @llvm.trap()

define internal i64 @index() alwaysinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = mul i32 %n, %b
  %i = add i32 %o, %t
  %r = zext i32 %i to i64
  ret i64 %r
}

define ptx_kernel void @vector_add(ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias readonly %b, ptr addrspace(1) noalias %c, i64 %n) {
  %i = call i64 @index()
  %in = icmp slt i64 %i, %n
  br i1 %in, label %do, label %end
do:
  %pa = getelementptr double, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr double, ptr addrspace(1) %b, i64 %i
  %pc = getelementptr double, ptr addrspace(1) %c, i64 %i
  %x = load double, ptr addrspace(1) %pa
  %y = load double, ptr addrspace(1) %pb
  %z = fadd double %x, %y
  store double %z, ptr addrspace(1) %pc
  br label %end
end:
  ret void
}

; float arithmetic of several kinds: bits must be the CPU's
define ptx_kernel void @mixed(ptr addrspace(1) %a, ptr addrspace(1) %c, i64 %n) {
  %i = call i64 @index()
  %in = icmp slt i64 %i, %n
  br i1 %in, label %do, label %end
do:
  %pa = getelementptr double, ptr addrspace(1) %a, i64 %i
  %pc = getelementptr double, ptr addrspace(1) %c, i64 %i
  %x = load double, ptr addrspace(1) %pa
  %m = fmul double %x, %x
  %s = fadd double %m, 1.0
  %r = call double @llvm.sqrt.f64(double %s)
  %d = fdiv double %x, %r
  %f = call double @llvm.fma.f64(double %d, double %x, double 0.1)
  %fl = call double @llvm.floor.f64(double %f)
  %mn = call double @llvm.minnum.f64(double %fl, double 3.0)
  %t = fptrunc double %f to float
  %e = fpext float %t to double
  %q = fptosi double %mn to i32
  %g = sitofp i32 %q to double
  %u = fadd double %e, %g
  store double %u, ptr addrspace(1) %pc
  br label %end
end:
  ret void
}

@bins = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @histogram(ptr addrspace(1) %x, ptr addrspace(1) %h, i64 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp ult i32 %t, 64
  br i1 %small, label %clear, label %cleared
clear:
  %p = getelementptr [64 x i32], ptr addrspace(3) @bins, i32 0, i32 %t
  store i32 0, ptr addrspace(3) %p
  br label %cleared
cleared:
  call void @llvm.nvvm.barrier0()
  %i = call i64 @index()
  %in = icmp slt i64 %i, %n
  br i1 %in, label %count, label %counted
count:
  %px = getelementptr i8, ptr addrspace(1) %x, i64 %i
  %v = load i8, ptr addrspace(1) %px
  %v32 = zext i8 %v to i32
  %bin = and i32 %v32, 63
  %pb = getelementptr [64 x i32], ptr addrspace(3) @bins, i32 0, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %pb, i32 1 monotonic
  br label %counted
counted:
  call void @llvm.nvvm.barrier0()
  br i1 %small, label %flush, label %end
flush:
  %q = getelementptr [64 x i32], ptr addrspace(3) @bins, i32 0, i32 %t
  %c = load i32, ptr addrspace(3) %q
  %ph = getelementptr i32, ptr addrspace(1) %h, i32 %t
  %old2 = atomicrmw add ptr addrspace(1) %ph, i32 %c monotonic
  br label %end
end:
  ret void
}

define ptx_kernel void @collatz(ptr addrspace(1) %steps, i64 %n) {
entry:
  %i = call i64 @index()
  %in = icmp slt i64 %i, %n
  br i1 %in, label %start, label %end
start:
  %first = add i64 %i, 1
  br label %loop
loop:
  %x = phi i64 [ %first, %start ], [ %next, %step ]
  %k = phi i32 [ 0, %start ], [ %k1, %step ]
  %one = icmp eq i64 %x, 1
  br i1 %one, label %store, label %step
step:
  %odd = and i64 %x, 1
  %isodd = icmp eq i64 %odd, 1
  %x3 = mul i64 %x, 3
  %up = add i64 %x3, 1
  %down = udiv i64 %x, 2
  %next = select i1 %isodd, i64 %up, i64 %down
  %k1 = add i32 %k, 1
  br label %loop
store:
  %p = getelementptr i32, ptr addrspace(1) %steps, i64 %i
  store i32 %k, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

%pair = type { i32, i64, double }
define internal i64 @fibonacci(i64 %n) noinline {
  %small = icmp slt i64 %n, 2
  br i1 %small, label %base, label %rec
base:
  ret i64 %n
rec:
  %a = sub i64 %n, 1
  %b = sub i64 %n, 2
  %fa = call i64 @fibonacci(i64 %a)
  %fb = call i64 @fibonacci(i64 %b)
  %s = add i64 %fa, %fb
  ret i64 %s
}
define internal double @total(ptr byval(%pair) align 8 %p) noinline {
  %p0 = getelementptr %pair, ptr %p, i32 0, i32 0
  %p1 = getelementptr %pair, ptr %p, i32 0, i32 1
  %p2 = getelementptr %pair, ptr %p, i32 0, i32 2
  %a = load i32, ptr %p0
  %b = load i64, ptr %p1
  %c = load double, ptr %p2
  %x = sitofp i32 %a to double
  %y = sitofp i64 %b to double
  %s = fadd double %x, %y
  %t = fadd double %s, %c
  ret double %t
}
@operations = internal addrspace(1) constant [2 x ptr] [ptr @twice, ptr @square]
define internal i32 @twice(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}
define internal i32 @square(i32 %x) noinline {
  %y = mul i32 %x, %x
  ret i32 %y
}
define ptx_kernel void @calls(ptr addrspace(1) %out, ptr byval(%pair) align 8 %given, i32 %which) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %t to i64
  %f = call i64 @fibonacci(i64 %n)
  %copy = alloca %pair, align 8
  %c0 = getelementptr %pair, ptr %copy, i32 0, i32 0
  %c1 = getelementptr %pair, ptr %copy, i32 0, i32 1
  %c2 = getelementptr %pair, ptr %copy, i32 0, i32 2
  %g1 = getelementptr %pair, ptr %given, i32 0, i32 1
  %g2 = getelementptr %pair, ptr %given, i32 0, i32 2
  %v1 = load i64, ptr %g1
  %v2 = load double, ptr %g2
  store i32 %t, ptr %c0
  store i64 %v1, ptr %c1
  store double %v2, ptr %c2
  %s = call double @total(ptr byval(%pair) align 8 %copy)
  %k = fptosi double %s to i64
  %pt = getelementptr [2 x ptr], ptr addrspace(1) @operations, i32 0, i32 %which
  %fn = load ptr, ptr addrspace(1) %pt
  %w = call i32 %fn(i32 %t)
  %w64 = zext i32 %w to i64
  %r1 = add i64 %f, %k
  %r = add i64 %r1, %w64
  %p = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %r, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @switches(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  switch i32 %t, label %other [ i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %d
    i32 4, label %e ]
a:
  br label %end
b:
  %pc = call i32 @llvm.ctpop.i32(i32 255)
  %vb = add i32 %pc, %n
  br label %end
c:
  %vc = call i32 @llvm.fshl.i32(i32 %n, i32 %t, i32 5)
  br label %end
d:
  %n64 = zext i32 %n to i64
  %rev = call i64 @llvm.bitreverse.i64(i64 %n64)
  %vd64 = lshr i64 %rev, 40
  %vd = trunc i64 %vd64 to i32
  br label %end
e:
  %ve = sdiv i32 %n, -7
  br label %end
other:
  %vo = urem i32 %n, %t
  br label %end
end:
  %v = phi i32 [ 7, %a ], [ %vb, %b ], [ %vc, %c ], [ %vd, %d ], [ %ve, %e ], [ %vo, %other ]
  store i32 %v, ptr addrspace(1) %p
  ret void
}
