"""The parts of remove-layout-conversions, in the order in which it uses them.

operations         which operations fix a layout, give one for free, cost something to run twice
forward            which layout each value gets from the operations that fix one
assignment         rewriting a function so that its values have these layouts
backward_slice     what has to be computed in another layout so that a conversion is not needed
cost               whether that is worth it
slice_rewriting    computing it so
function_state     which values exist in which layouts, while conversions disappear
rematerialization  all that for one conversion
hoisting           moving a conversion to where it costs less
conversions        making one
"""
