// libstdc++ asks glibc, from 2.32 on, whether the process has one thread alone.  This answers no, for every glibc: the counts of
// shared pointers are atomic then.
extern "C" {
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}
