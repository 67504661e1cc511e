// --- f32: a group too many in flight
W0 = [[1||2]]
// --- f32: a lost wait
WAIT = [[ttg.async_wait {num = 1 : i32}||]]
// --- f32: a lost commit
COMMIT = [[ttg.async_commit_group||]]
// --- f32: one slot too few
SLOTS = [[3||2]]
// --- f32: one slot too few at the load alone
TAKES = [[3||2]]
// --- f32: the copy is one iteration late
AHEAD = [[2||1]]
// --- f32: the copy's mask is dropped
MASK = [[ mask %ok||]]
// --- f32: a copy of the first iteration is lost
FIRST = [[%n||%zero]]
// --- f32: the slots of both sides differ by one
START = [[0||1]]
