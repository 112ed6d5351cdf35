; What a column makes for itself is side by side for all of a group.
; pass: jam-columns
; run: @f([[1.0, 2.0, 4.0, 8.0, 16.0], [3.0, 6.0, 4.0, 0.0, 2.0]]) = [[-1.0, -2.0, 4.0, 16.0, 30.0], [2.0, 4.0, 0.0, -8.0, -14.0]]
; run: @f([[1.0, 2.0]]) = [[1.0, 2.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %out: array<f64, 2> = empty %n, %m
  for %zero, %m, %one {
  (%j: i64):
    %own: array<f64, 1> = empty %n
    %first: f64 = for %zero, %n, %one, %none {
    (%i: i64, %s: f64):
      %x: f64 = load_raw %a, %i, %j
      %y: f64 = sub %x, %s
      store_raw %own, %y, %i
      continue[0] %x
    }
    for %zero, %n, %one {
    (%k: i64):
      %z: f64 = load_raw %own, %k
      %w: f64 = load_raw %a, %k, %j
      %d: f64 = sub %w, %first
      store_raw %out, %d, %k, %j
      continue[0]
    }
    for %zero, %n, %one {
    (%l: i64):
      %u: f64 = load_raw %own, %l
      %v: f64 = load_raw %out, %l, %j
      %both: f64 = add %u, %v
      store_raw %out, %both, %l, %j
      continue[0]
    }
    continue[0]
  }
  return %out
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 2> in m1 = empty %1, %2
  %7: bool = lt %3, %2
  %8: i64 = sub %2, %3
  %9: i64 = const 0
  %10: i64 = select %7, %8, %9
  %11: i64 = max %10, %9
  %12: i64 = const -16
  %13: i64 = and %11, %12
  %14: i64 = add %3, %13
  %15: i64 = const 16
  for %3, %14, %15 !r m0|m1|m2 !w m1|m2 {
  (%16: i64):
    %17: i64 = const 0
    %18: i64 = add %16, %17
    %19: i64 = const 1
    %20: i64 = add %16, %19
    %21: i64 = const 2
    %22: i64 = add %16, %21
    %23: i64 = const 3
    %24: i64 = add %16, %23
    %25: i64 = const 4
    %26: i64 = add %16, %25
    %27: i64 = const 5
    %28: i64 = add %16, %27
    %29: i64 = const 6
    %30: i64 = add %16, %29
    %31: i64 = const 7
    %32: i64 = add %16, %31
    %33: i64 = const 8
    %34: i64 = add %16, %33
    %35: i64 = const 9
    %36: i64 = add %16, %35
    %37: i64 = const 10
    %38: i64 = add %16, %37
    %39: i64 = const 11
    %40: i64 = add %16, %39
    %41: i64 = const 12
    %42: i64 = add %16, %41
    %43: i64 = const 13
    %44: i64 = add %16, %43
    %45: i64 = const 14
    %46: i64 = add %16, %45
    %47: i64 = const 15
    %48: i64 = add %16, %47
    %49: i64 = const 16
    %50: array<f64, 2> in m2 = empty %1, %49
    %51: f64, %52: f64, %53: f64, %54: f64, %55: f64, %56: f64, %57: f64, %58: f64, %59: f64, %60: f64, %61: f64, %62: f64, %63: f64, %64: f64, %65: f64, %66: f64 = for %3, %1, %4, %5, %5, %5, %5, %5, %5, %5, %5, %5, %5, %5, %5, %5, %5, %5, %5 !r m0 !w m2 {
    (%67: i64, %68: f64, %69: f64, %70: f64, %71: f64, %72: f64, %73: f64, %74: f64, %75: f64, %76: f64, %77: f64, %78: f64, %79: f64, %80: f64, %81: f64, %82: f64, %83: f64):
      %84: f64 = load_raw %0, %67, %18 !r m0
      %85: f64 = load_raw %0, %67, %20 !r m0
      %86: f64 = load_raw %0, %67, %22 !r m0
      %87: f64 = load_raw %0, %67, %24 !r m0
      %88: f64 = load_raw %0, %67, %26 !r m0
      %89: f64 = load_raw %0, %67, %28 !r m0
      %90: f64 = load_raw %0, %67, %30 !r m0
      %91: f64 = load_raw %0, %67, %32 !r m0
      %92: f64 = load_raw %0, %67, %34 !r m0
      %93: f64 = load_raw %0, %67, %36 !r m0
      %94: f64 = load_raw %0, %67, %38 !r m0
      %95: f64 = load_raw %0, %67, %40 !r m0
      %96: f64 = load_raw %0, %67, %42 !r m0
      %97: f64 = load_raw %0, %67, %44 !r m0
      %98: f64 = load_raw %0, %67, %46 !r m0
      %99: f64 = load_raw %0, %67, %48 !r m0
      %100: f64 = sub %84, %68
      %101: f64 = sub %85, %69
      %102: f64 = sub %86, %70
      %103: f64 = sub %87, %71
      %104: f64 = sub %88, %72
      %105: f64 = sub %89, %73
      %106: f64 = sub %90, %74
      %107: f64 = sub %91, %75
      %108: f64 = sub %92, %76
      %109: f64 = sub %93, %77
      %110: f64 = sub %94, %78
      %111: f64 = sub %95, %79
      %112: f64 = sub %96, %80
      %113: f64 = sub %97, %81
      %114: f64 = sub %98, %82
      %115: f64 = sub %99, %83
      %116: i64 = const 0
      store_raw %50, %100, %67, %116 !w m2
      %117: i64 = const 1
      store_raw %50, %101, %67, %117 !w m2
      %118: i64 = const 2
      store_raw %50, %102, %67, %118 !w m2
      %119: i64 = const 3
      store_raw %50, %103, %67, %119 !w m2
      %120: i64 = const 4
      store_raw %50, %104, %67, %120 !w m2
      %121: i64 = const 5
      store_raw %50, %105, %67, %121 !w m2
      %122: i64 = const 6
      store_raw %50, %106, %67, %122 !w m2
      %123: i64 = const 7
      store_raw %50, %107, %67, %123 !w m2
      %124: i64 = const 8
      store_raw %50, %108, %67, %124 !w m2
      %125: i64 = const 9
      store_raw %50, %109, %67, %125 !w m2
      %126: i64 = const 10
      store_raw %50, %110, %67, %126 !w m2
      %127: i64 = const 11
      store_raw %50, %111, %67, %127 !w m2
      %128: i64 = const 12
      store_raw %50, %112, %67, %128 !w m2
      %129: i64 = const 13
      store_raw %50, %113, %67, %129 !w m2
      %130: i64 = const 14
      store_raw %50, %114, %67, %130 !w m2
      %131: i64 = const 15
      store_raw %50, %115, %67, %131 !w m2
      continue[0] %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99
    }
    for %3, %1, %4 !r m0|m2 !w m1 {
    (%132: i64):
      %133: i64 = const 0
      %134: f64 = load_raw %50, %132, %133 !r m2
      %135: i64 = const 1
      %136: f64 = load_raw %50, %132, %135 !r m2
      %137: i64 = const 2
      %138: f64 = load_raw %50, %132, %137 !r m2
      %139: i64 = const 3
      %140: f64 = load_raw %50, %132, %139 !r m2
      %141: i64 = const 4
      %142: f64 = load_raw %50, %132, %141 !r m2
      %143: i64 = const 5
      %144: f64 = load_raw %50, %132, %143 !r m2
      %145: i64 = const 6
      %146: f64 = load_raw %50, %132, %145 !r m2
      %147: i64 = const 7
      %148: f64 = load_raw %50, %132, %147 !r m2
      %149: i64 = const 8
      %150: f64 = load_raw %50, %132, %149 !r m2
      %151: i64 = const 9
      %152: f64 = load_raw %50, %132, %151 !r m2
      %153: i64 = const 10
      %154: f64 = load_raw %50, %132, %153 !r m2
      %155: i64 = const 11
      %156: f64 = load_raw %50, %132, %155 !r m2
      %157: i64 = const 12
      %158: f64 = load_raw %50, %132, %157 !r m2
      %159: i64 = const 13
      %160: f64 = load_raw %50, %132, %159 !r m2
      %161: i64 = const 14
      %162: f64 = load_raw %50, %132, %161 !r m2
      %163: i64 = const 15
      %164: f64 = load_raw %50, %132, %163 !r m2
      %165: f64 = load_raw %0, %132, %18 !r m0
      %166: f64 = load_raw %0, %132, %20 !r m0
      %167: f64 = load_raw %0, %132, %22 !r m0
      %168: f64 = load_raw %0, %132, %24 !r m0
      %169: f64 = load_raw %0, %132, %26 !r m0
      %170: f64 = load_raw %0, %132, %28 !r m0
      %171: f64 = load_raw %0, %132, %30 !r m0
      %172: f64 = load_raw %0, %132, %32 !r m0
      %173: f64 = load_raw %0, %132, %34 !r m0
      %174: f64 = load_raw %0, %132, %36 !r m0
      %175: f64 = load_raw %0, %132, %38 !r m0
      %176: f64 = load_raw %0, %132, %40 !r m0
      %177: f64 = load_raw %0, %132, %42 !r m0
      %178: f64 = load_raw %0, %132, %44 !r m0
      %179: f64 = load_raw %0, %132, %46 !r m0
      %180: f64 = load_raw %0, %132, %48 !r m0
      %181: f64 = sub %165, %51
      %182: f64 = sub %166, %52
      %183: f64 = sub %167, %53
      %184: f64 = sub %168, %54
      %185: f64 = sub %169, %55
      %186: f64 = sub %170, %56
      %187: f64 = sub %171, %57
      %188: f64 = sub %172, %58
      %189: f64 = sub %173, %59
      %190: f64 = sub %174, %60
      %191: f64 = sub %175, %61
      %192: f64 = sub %176, %62
      %193: f64 = sub %177, %63
      %194: f64 = sub %178, %64
      %195: f64 = sub %179, %65
      %196: f64 = sub %180, %66
      store_raw %6, %181, %132, %18 !w m1
      store_raw %6, %182, %132, %20 !w m1
      store_raw %6, %183, %132, %22 !w m1
      store_raw %6, %184, %132, %24 !w m1
      store_raw %6, %185, %132, %26 !w m1
      store_raw %6, %186, %132, %28 !w m1
      store_raw %6, %187, %132, %30 !w m1
      store_raw %6, %188, %132, %32 !w m1
      store_raw %6, %189, %132, %34 !w m1
      store_raw %6, %190, %132, %36 !w m1
      store_raw %6, %191, %132, %38 !w m1
      store_raw %6, %192, %132, %40 !w m1
      store_raw %6, %193, %132, %42 !w m1
      store_raw %6, %194, %132, %44 !w m1
      store_raw %6, %195, %132, %46 !w m1
      store_raw %6, %196, %132, %48 !w m1
      continue[0]
    }
    for %3, %1, %4 !r m1|m2 !w m1 {
    (%197: i64):
      %198: i64 = const 0
      %199: f64 = load_raw %50, %197, %198 !r m2
      %200: i64 = const 1
      %201: f64 = load_raw %50, %197, %200 !r m2
      %202: i64 = const 2
      %203: f64 = load_raw %50, %197, %202 !r m2
      %204: i64 = const 3
      %205: f64 = load_raw %50, %197, %204 !r m2
      %206: i64 = const 4
      %207: f64 = load_raw %50, %197, %206 !r m2
      %208: i64 = const 5
      %209: f64 = load_raw %50, %197, %208 !r m2
      %210: i64 = const 6
      %211: f64 = load_raw %50, %197, %210 !r m2
      %212: i64 = const 7
      %213: f64 = load_raw %50, %197, %212 !r m2
      %214: i64 = const 8
      %215: f64 = load_raw %50, %197, %214 !r m2
      %216: i64 = const 9
      %217: f64 = load_raw %50, %197, %216 !r m2
      %218: i64 = const 10
      %219: f64 = load_raw %50, %197, %218 !r m2
      %220: i64 = const 11
      %221: f64 = load_raw %50, %197, %220 !r m2
      %222: i64 = const 12
      %223: f64 = load_raw %50, %197, %222 !r m2
      %224: i64 = const 13
      %225: f64 = load_raw %50, %197, %224 !r m2
      %226: i64 = const 14
      %227: f64 = load_raw %50, %197, %226 !r m2
      %228: i64 = const 15
      %229: f64 = load_raw %50, %197, %228 !r m2
      %230: f64 = load_raw %6, %197, %18 !r m1
      %231: f64 = load_raw %6, %197, %20 !r m1
      %232: f64 = load_raw %6, %197, %22 !r m1
      %233: f64 = load_raw %6, %197, %24 !r m1
      %234: f64 = load_raw %6, %197, %26 !r m1
      %235: f64 = load_raw %6, %197, %28 !r m1
      %236: f64 = load_raw %6, %197, %30 !r m1
      %237: f64 = load_raw %6, %197, %32 !r m1
      %238: f64 = load_raw %6, %197, %34 !r m1
      %239: f64 = load_raw %6, %197, %36 !r m1
      %240: f64 = load_raw %6, %197, %38 !r m1
      %241: f64 = load_raw %6, %197, %40 !r m1
      %242: f64 = load_raw %6, %197, %42 !r m1
      %243: f64 = load_raw %6, %197, %44 !r m1
      %244: f64 = load_raw %6, %197, %46 !r m1
      %245: f64 = load_raw %6, %197, %48 !r m1
      %246: f64 = add %199, %230
      %247: f64 = add %201, %231
      %248: f64 = add %203, %232
      %249: f64 = add %205, %233
      %250: f64 = add %207, %234
      %251: f64 = add %209, %235
      %252: f64 = add %211, %236
      %253: f64 = add %213, %237
      %254: f64 = add %215, %238
      %255: f64 = add %217, %239
      %256: f64 = add %219, %240
      %257: f64 = add %221, %241
      %258: f64 = add %223, %242
      %259: f64 = add %225, %243
      %260: f64 = add %227, %244
      %261: f64 = add %229, %245
      store_raw %6, %246, %197, %18 !w m1
      store_raw %6, %247, %197, %20 !w m1
      store_raw %6, %248, %197, %22 !w m1
      store_raw %6, %249, %197, %24 !w m1
      store_raw %6, %250, %197, %26 !w m1
      store_raw %6, %251, %197, %28 !w m1
      store_raw %6, %252, %197, %30 !w m1
      store_raw %6, %253, %197, %32 !w m1
      store_raw %6, %254, %197, %34 !w m1
      store_raw %6, %255, %197, %36 !w m1
      store_raw %6, %256, %197, %38 !w m1
      store_raw %6, %257, %197, %40 !w m1
      store_raw %6, %258, %197, %42 !w m1
      store_raw %6, %259, %197, %44 !w m1
      store_raw %6, %260, %197, %46 !w m1
      store_raw %6, %261, %197, %48 !w m1
      continue[0]
    }
    continue[0]
  }
  %262: bool = lt %14, %2
  %263: i64 = sub %2, %14
  %264: i64 = const 0
  %265: i64 = select %262, %263, %264
  %266: i64 = max %265, %264
  %267: i64 = const -4
  %268: i64 = and %266, %267
  %269: i64 = add %14, %268
  %270: i64 = const 4
  for %14, %269, %270 !r m0|m1|m3 !w m1|m3 {
  (%271: i64):
    %272: i64 = const 0
    %273: i64 = add %271, %272
    %274: i64 = const 1
    %275: i64 = add %271, %274
    %276: i64 = const 2
    %277: i64 = add %271, %276
    %278: i64 = const 3
    %279: i64 = add %271, %278
    %280: i64 = const 4
    %281: array<f64, 2> in m3 = empty %1, %280
    %282: f64, %283: f64, %284: f64, %285: f64 = for %3, %1, %4, %5, %5, %5, %5 !r m0 !w m3 {
    (%286: i64, %287: f64, %288: f64, %289: f64, %290: f64):
      %291: f64 = load_raw %0, %286, %273 !r m0
      %292: f64 = load_raw %0, %286, %275 !r m0
      %293: f64 = load_raw %0, %286, %277 !r m0
      %294: f64 = load_raw %0, %286, %279 !r m0
      %295: f64 = sub %291, %287
      %296: f64 = sub %292, %288
      %297: f64 = sub %293, %289
      %298: f64 = sub %294, %290
      %299: i64 = const 0
      store_raw %281, %295, %286, %299 !w m3
      %300: i64 = const 1
      store_raw %281, %296, %286, %300 !w m3
      %301: i64 = const 2
      store_raw %281, %297, %286, %301 !w m3
      %302: i64 = const 3
      store_raw %281, %298, %286, %302 !w m3
      continue[0] %291, %292, %293, %294
    }
    for %3, %1, %4 !r m0|m3 !w m1 {
    (%303: i64):
      %304: i64 = const 0
      %305: f64 = load_raw %281, %303, %304 !r m3
      %306: i64 = const 1
      %307: f64 = load_raw %281, %303, %306 !r m3
      %308: i64 = const 2
      %309: f64 = load_raw %281, %303, %308 !r m3
      %310: i64 = const 3
      %311: f64 = load_raw %281, %303, %310 !r m3
      %312: f64 = load_raw %0, %303, %273 !r m0
      %313: f64 = load_raw %0, %303, %275 !r m0
      %314: f64 = load_raw %0, %303, %277 !r m0
      %315: f64 = load_raw %0, %303, %279 !r m0
      %316: f64 = sub %312, %282
      %317: f64 = sub %313, %283
      %318: f64 = sub %314, %284
      %319: f64 = sub %315, %285
      store_raw %6, %316, %303, %273 !w m1
      store_raw %6, %317, %303, %275 !w m1
      store_raw %6, %318, %303, %277 !w m1
      store_raw %6, %319, %303, %279 !w m1
      continue[0]
    }
    for %3, %1, %4 !r m1|m3 !w m1 {
    (%320: i64):
      %321: i64 = const 0
      %322: f64 = load_raw %281, %320, %321 !r m3
      %323: i64 = const 1
      %324: f64 = load_raw %281, %320, %323 !r m3
      %325: i64 = const 2
      %326: f64 = load_raw %281, %320, %325 !r m3
      %327: i64 = const 3
      %328: f64 = load_raw %281, %320, %327 !r m3
      %329: f64 = load_raw %6, %320, %273 !r m1
      %330: f64 = load_raw %6, %320, %275 !r m1
      %331: f64 = load_raw %6, %320, %277 !r m1
      %332: f64 = load_raw %6, %320, %279 !r m1
      %333: f64 = add %322, %329
      %334: f64 = add %324, %330
      %335: f64 = add %326, %331
      %336: f64 = add %328, %332
      store_raw %6, %333, %320, %273 !w m1
      store_raw %6, %334, %320, %275 !w m1
      store_raw %6, %335, %320, %277 !w m1
      store_raw %6, %336, %320, %279 !w m1
      continue[0]
    }
    continue[0]
  }
  for %269, %2, %4 !r m0|m1|m4 !w m1|m4 {
  (%337: i64):
    %338: array<f64, 1> in m4 = empty %1
    %339: f64 = for %3, %1, %4, %5 !r m0 !w m4 {
    (%340: i64, %341: f64):
      %342: f64 = load_raw %0, %340, %337 !r m0
      %343: f64 = sub %342, %341
      store_raw %338, %343, %340 !w m4
      continue[0] %342
    }
    for %3, %1, %4 !r m0|m4 !w m1 {
    (%344: i64):
      %345: f64 = load_raw %338, %344 !r m4
      %346: f64 = load_raw %0, %344, %337 !r m0
      %347: f64 = sub %346, %339
      store_raw %6, %347, %344, %337 !w m1
      continue[0]
    }
    for %3, %1, %4 !r m1|m4 !w m1 {
    (%348: i64):
      %349: f64 = load_raw %338, %348 !r m4
      %350: f64 = load_raw %6, %348, %337 !r m1
      %351: f64 = add %349, %350
      store_raw %6, %351, %348, %337 !w m1
      continue[0]
    }
    continue[0]
  }
  return %6
}
