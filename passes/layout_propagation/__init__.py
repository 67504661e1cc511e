"""The parts of remove-layout-conversions, in the order in which the pass uses them.

- layout_anchors: the operations that fix a layout, produce any layout for free, or are too expensive to run twice.
- forward: the layout of each value, propagated from the operations that fix one.
- layout_rewriting: rewriting a function so that its values have these layouts.
- backward_slice: the operations to compute in another layout to remove a conversion.
- cost: the cost of computing them, compared with the conversion.
- slice_rewriting: computing them in that layout.
- function_state: the layouts in which values exist already, while conversions are removed.
- rematerialization: the three steps above for one conversion.
- hoisting: moving a conversion to where it costs less.
- layout_conversions: creating a conversion.
"""
