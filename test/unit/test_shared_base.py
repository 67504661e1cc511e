"""The base of shared memory in PTX, in a register that no loop counts up."""

from ttkit.compiler.shared_base import with_base_apart

LOOP = """.visible .entry k()
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<9>;
	mov.b32 	%r1, global_smem;
	add.s32 	%r2, %r1, 49152;
	@%p1 st.shared.b32 	[%r1], %r3;
	add.s32 	%r12, %r1, 8;
$L__BB0_1:
	ld.shared.b32 	%r4, [%r1];
	add.s32 	%r1, %r1, 8;
	@%p1 bra 	$L__BB0_1;
	st.shared.b32 	[%r2], %r4;
	ret;
}
"""


def test_what_a_loop_counts_is_another_register():
    found = with_base_apart(LOOP)
    assert ".reg .b32 	%r<10>;" in found
    assert "	mov.b32 	%r9, global_smem;\n	mov.b32 	%r1, %r9;\n	add.s32 	%r2, %r9, 49152;\n" in found
    assert "[%r9], %r3;\n	add.s32 	%r12, %r9, 8;\n$L__BB0_1:\n	ld.shared.b32 	%r4, [%r1];" in found
    assert "	add.s32 	%r1, %r1, 8;" in found


def test_a_base_that_stays_is_left_alone():
    text = LOOP.replace("	add.s32 	%r1, %r1, 8;\n", "")
    assert with_base_apart(text) == text


def test_what_may_set_the_register_ends_its_uses():
    vector = LOOP.replace("	@%p1 st", "	ld.shared.v2.b32 	{%r1, %r5}, [%r2];\n	@%p1 st")
    assert "	@%p1 st.shared.b32 	[%r1], %r3;" in with_base_apart(vector)
