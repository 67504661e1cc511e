"""The parts of remove-layout-conversions, in the order in which it uses them.

operations         which operations fix a layout, give one for free, cost something to run twice
forward            which layout each value gets from the operations that fix one
assignment         rewriting a function so that its values have these layouts
backward_slice     what has to be computed in another layout so that a conversion is not needed
rematerialization  computing it so: the state of a function while conversions disappear
slice_rewriting    the rewriting itself
cost               whether it is worth it
hoisting           moving a conversion to where it costs less
"""
