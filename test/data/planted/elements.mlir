// --- f32: swapped operands of a subtraction
%c = arith.subf [[%a, %b||%b, %a]] : tensor<64xf32>
// --- f32: swapped operands of a division
%c = arith.divf [[%a, %b||%b, %a]] : tensor<64xf32>
// --- f32: an ordered comparison becomes unordered
%t = arith.cmpf [[olt||ult]], %a, %b : tensor<64xf32>
%c = arith.select %t, %a, %b : tensor<64xi1>, tensor<64xf32>
// --- f32: an unordered inequality becomes ordered
%t = arith.cmpf [[une||one]], %a, %b : tensor<64xf32>
%c = arith.select %t, %a, %one : tensor<64xi1>, tensor<64xf32>
// --- f32: a negated comparison forgets NaN
%t = arith.cmpf [[uge, %a, %b||oge, %a, %b]] : tensor<64xf32>
%c = arith.select %t, %a, %b : tensor<64xi1>, tensor<64xf32>
// --- f32: a maximum that ignores NaN becomes one that keeps it
%c = arith.[[maxnumf||maximumf]] %a, %b : tensor<64xf32>
// --- f32: a minimum that keeps NaN becomes one that ignores it
%c = arith.[[minimumf||minnumf]] %a, %b : tensor<64xf32>
// --- f32: a clamp keeps NaN
%c = tt.clampf %a, %zero, %one, propagateNan = [[none||all]] : tensor<64xf32>
// --- f32: a product with zero is zero
%d = arith.mulf %a, %zero : tensor<64xf32>
%c = arith.addf [[%d||%zero]], %one : tensor<64xf32>
// --- f32: a product with zero forgets the sign
%c = arith.[[mulf %a, %zero||mulf %zero, %zero]] : tensor<64xf32>
// --- f32: a difference from itself is zero
%d = arith.subf %a, %a : tensor<64xf32>
%c = arith.addf [[%d||%zero]], %b : tensor<64xf32>
// --- f32: a quotient by itself is one
%d = arith.divf %a, %a : tensor<64xf32>
%c = arith.addf [[%d||%one]], %one : tensor<64xf32>
// --- f32: adding zero loses minus zero
%d = arith.addf %a, %zero : tensor<64xf32>
%c = arith.divf %one, [[%d||%a]] : tensor<64xf32>
// --- f32: a negation becomes a difference
%c = arith.[[negf %a||subf %zero, %a]] : tensor<64xf32>
// --- f32: a choice becomes a minimum
%t = arith.cmpf olt, %a, %b : tensor<64xf32>
%e = arith.select %t, %a, %b : tensor<64xi1>, tensor<64xf32>
%f = arith.minnumf %a, %b : tensor<64xf32>
%c = arith.addf [[%e||%f]], %zero : tensor<64xf32>
// --- f32: an absolute value becomes a choice
%t = arith.cmpf ogt, %a, %zero : tensor<64xf32>
%g = arith.negf %a : tensor<64xf32>
%e = arith.select %t, %a, %g : tensor<64xi1>, tensor<64xf32>
%f = math.absf %a : tensor<64xf32>
%c = arith.divf %one, [[%f||%e]] : tensor<64xf32>
// --- f32: denormals count as zero
%tiny = arith.constant dense<1.0e-39> : tensor<64xf32>
%t = arith.cmpf olt, %a, [[%tiny||%zero]] : tensor<64xf32>
%u = arith.cmpf ole, %zero, %a : tensor<64xf32>
%v = arith.andi %t, %u : tensor<64xi1>
%c = arith.select %v, %b, %one : tensor<64xi1>, tensor<64xf32>
// --- f32: infinity is not looked for
%inf = arith.constant dense<0x7F800000> : tensor<64xf32>
%t = arith.cmpf oeq, %a, %inf : tensor<64xf32>
%c = arith.select %t, [[%one||%a]], %a : tensor<64xi1>, tensor<64xf32>
// --- f32: a threshold moves
%k = arith.constant dense<[[12345.5||12346.5]]> : tensor<64xf32>
%t = arith.cmpf oge, %a, %k : tensor<64xf32>
%c = arith.select %t, %one, %b : tensor<64xi1>, tensor<64xf32>
// --- f32: a value that only infinity reaches
%k = arith.constant dense<3.0e+38> : tensor<64xf32>
%t = arith.cmpf ogt, %a, %k : tensor<64xf32>
%c = arith.select %t, [[%one||%zero]], %b : tensor<64xi1>, tensor<64xf32>
// --- f32: rounding to half is lost
%h = arith.truncf %a : tensor<64xf32> to tensor<64xf16>
%d = arith.extf %h : tensor<64xf16> to tensor<64xf32>
%c = arith.addf [[%d||%a]], %b : tensor<64xf32>
// --- f32: another rounding mode
%h = tt.fp_to_fp %a, rounding = [[rtne||rtz]] : tensor<64xf32> -> tensor<64xf16>
%c = arith.extf %h : tensor<64xf16> to tensor<64xf32>
// --- f32: to integers without sign
%h = arith.[[fptosi||fptoui]] %a : tensor<64xf32> to tensor<64xi32>
%c = arith.sitofp %h : tensor<64xi32> to tensor<64xf32>
// --- f32: the base of a power
%c = math.[[exp2||exp]] %a : tensor<64xf32>
// --- f32: floor for truncation
%d = math.[[floor||ceil]] %a : tensor<64xf32>
%c = arith.subf %a, %d : tensor<64xf32>
// --- i32: a signed division becomes unsigned
%c = arith.[[divsi||divui]] %a, %seven : tensor<64xi32>
// --- i32: a division rounds down
%c = arith.[[divsi||floordivsi]] %a, %seven : tensor<64xi32>
// --- i32: a signed remainder becomes unsigned
%c = arith.[[remsi||remui]] %a, %seven : tensor<64xi32>
// --- i32: a quotient becomes a shift
%two = arith.constant dense<2> : tensor<64xi32>
%c = arith.[[divsi %a, %two||shrsi %a, %one]] : tensor<64xi32>
// --- i32: a remainder becomes a mask
%eight = arith.constant dense<8> : tensor<64xi32>
%c = arith.[[remsi %a, %eight||andi %a, %seven]] : tensor<64xi32>
// --- i32: a shift fills with zeros
%c = arith.[[shrsi||shrui]] %a, %seven : tensor<64xi32>
// --- i32: a comparison without sign
%t = arith.cmpi [[slt||ult]], %a, %b : tensor<64xi32>
%c = arith.select %t, %a, %one : tensor<64xi1>, tensor<64xi32>
// --- i32: a bound that is included
%t = arith.cmpi [[slt||sle]], %a, %b : tensor<64xi32>
%c = arith.select %t, %one, %zero : tensor<64xi1>, tensor<64xi32>
// --- i32: a maximum without sign
%c = arith.[[maxsi||maxui]] %a, %b : tensor<64xi32>
// --- i32: sums do not wrap
%d = arith.addi %a, %one : tensor<64xi32>
%t = arith.cmpi sgt, %d, %a : tensor<64xi32>
%c = arith.select %t, %one, [[%zero||%one]] : tensor<64xi1>, tensor<64xi32>
// --- i32: products do not wrap
%d = arith.muli %a, %seven : tensor<64xi32>
%e = arith.divsi %d, %seven : tensor<64xi32>
%c = arith.addi [[%e||%a]], %b : tensor<64xi32>
// --- i32: the smallest number has no negative
%d = arith.subi %zero, %a : tensor<64xi32>
%e = arith.maxsi %a, %d : tensor<64xi32>
%t = arith.cmpi slt, %e, %zero : tensor<64xi32>
%c = arith.select %t, [[%one||%seven]], %zero : tensor<64xi1>, tensor<64xi32>
// --- i32: a number that is looked for is lost
%k = arith.constant dense<123456> : tensor<64xi32>
%t = arith.cmpi eq, %a, %k : tensor<64xi32>
%c = arith.select %t, [[%one||%zero]], %zero : tensor<64xi1>, tensor<64xi32>
// --- i32: a bound in a constant is one more
%k = arith.constant dense<[[1000000||1000001]]> : tensor<64xi32>
%c = arith.minsi %a, %k : tensor<64xi32>
// --- i32: a shift is one less
%k = arith.constant dense<[[31||30]]> : tensor<64xi32>
%c = arith.shrui %a, %k : tensor<64xi32>
// --- i32: a byte loses a bit
%k = arith.constant dense<[[255||127]]> : tensor<64xi32>
%c = arith.andi %a, %k : tensor<64xi32>
// --- i32: truncation is lost
%h = arith.trunci %a : tensor<64xi32> to tensor<64xi8>
%d = arith.extsi %h : tensor<64xi8> to tensor<64xi32>
%c = arith.addi [[%d||%a]], %b : tensor<64xi32>
// --- i32: an extension without sign
%h = arith.trunci %a : tensor<64xi32> to tensor<64xi16>
%c = arith.[[extsi||extui]] %h : tensor<64xi16> to tensor<64xi32>
// --- i32: an integer without sign becomes a float
%h = arith.[[sitofp||uitofp]] %a : tensor<64xi32> to tensor<64xf32>
%c = tt.bitcast %h : tensor<64xf32> -> tensor<64xi32>
// --- i32: large integers are floats
%h = arith.sitofp %a : tensor<64xi32> to tensor<64xf32>
%d = arith.fptosi %h : tensor<64xf32> to tensor<64xi32>
%t = arith.cmpi eq, %d, %a : tensor<64xi32>
%c = arith.select %t, %one, [[%zero||%one]] : tensor<64xi1>, tensor<64xi32>
// --- i32: high words without sign
%c = tt.mulhiui [[%a, %b||%a, %a]] : tensor<64xi32>
// --- i32: swapped choices
%t = arith.cmpi eq, %a, %b : tensor<64xi32>
%c = arith.select %t, [[%a, %one||%one, %a]] : tensor<64xi1>, tensor<64xi32>
// --- i32: a scalar that is looked for is lost
%k = arith.constant 777 : i32
%t = arith.cmpi eq, %n, %k : i32
%d = arith.select %t, [[%one||%zero]], %zero : tensor<64xi32>
%c = arith.addi %a, %d : tensor<64xi32>
// --- i32: the largest scalar
%k = arith.constant 1 : i32
%o = arith.addi %n, %k : i32
%t = arith.cmpi sgt, %o, %n : i32
%c = arith.select %t, %a, [[%b||%a]] : tensor<64xi32>
// --- i32: a negative scalar
%k = arith.constant 0 : i32
%t = arith.cmpi [[slt, %n, %k||ult, %n, %k]] : i32
%c = arith.select %t, %a, %b : tensor<64xi32>
// --- i32: two scalars that are equal
%t = arith.cmpi [[eq, %n, %m||ne, %n, %n]] : i32
%c = arith.select %t, %a, %b : tensor<64xi32>
// --- i32: a scalar between two constants
%k = arith.constant 5000 : i32
%l = arith.constant 5002 : i32
%t = arith.cmpi sgt, %n, %k : i32
%u = arith.cmpi slt, %n, %l : i32
%v = arith.andi %t, %u : i1
%c = arith.select %v, [[%b||%a]], %a : tensor<64xi32>
// --- i32: a sum that may wrap is promised not to
%d = arith.addi %a, %b [[||overflow<nsw>]] : tensor<64xi32>
%c = arith.muli %d, %seven : tensor<64xi32>
// --- i32: a product that may wrap is promised not to
%d = arith.muli %a, %b [[||overflow<nuw>]] : tensor<64xi32>
%c = arith.addi %d, %seven : tensor<64xi32>
// --- i32: another bit is set
%k = arith.constant dense<[[1024||2048]]> : tensor<64xi32>
%c = arith.ori %a, %k : tensor<64xi32>
// --- i32: a lost exclusive or
%c = arith.[[xori||ori]] %a, %b : tensor<64xi32>
// --- f32: the precision of a product
%a2 = tt.reshape %a : tensor<64xf32> -> tensor<8x8xf32>
%b2 = tt.reshape %b : tensor<64xf32> -> tensor<8x8xf32>
%none = arith.constant dense<0.0> : tensor<8x8xf32>
%d = tt.dot %a2, %b2, %none, inputPrecision = [[ieee||tf32]] : tensor<8x8xf32> * tensor<8x8xf32> -> tensor<8x8xf32>
%c = tt.reshape %d : tensor<8x8xf32> -> tensor<64xf32>
