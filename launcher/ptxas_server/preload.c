/* ptxas as a server: loaded into ptxas by LD_PRELOAD, it forks a process for each kernel once ptxas is ready to read one.

   ptxas takes most of its time for a small kernel to get ready.  It then opens its input.  Here that is a file which
   nobody wrote: instead of opening it, the process reads messages from its standard input, each the path of a folder,
   and answers each with the number of a new process, which goes on there with the input of that folder.  The new
   processes are children of the server's parent, which waits for them as if it had started them.

   Python's side, which says what the folder holds: python/ttkit/compiler/ptxas_server.py.  */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char INPUT[] = "kernel.ptx";
static const char LOG[] = "log";
static const char SERVES[] = "TTKIT_PTXAS_SERVES";
enum { LONGEST_PATH = 4096, NO_FOLDER = 125, SMALL_PAGE = 4096, LEAST_CHUNK = 64 };
enum { KERNELS_BEFORE_COPY = 4 }; /* the copy takes 15 ms, and saves 2 ms or more for each kernel */
static const uintptr_t HUGE_PAGE = 2 << 20;

static uintptr_t next_huge_page(uintptr_t address) { return (address + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1); }

/* Has the new memory of the heap begin at a huge page that nobody has touched: in pages that the server has touched, the
   new processes would take a copy of each small one that they write to. */
static void leave_touched_pages(void) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  uintptr_t top = (uintptr_t)sbrk(0) - (size_t)mallinfo().keepcost; /* the C library's last chunk, which is free */
#pragma GCC diagnostic pop
  size_t header = 2 * sizeof(size_t);
  uintptr_t limit = next_huge_page(top + header + LEAST_CHUNK);
  void *between = malloc(limit - header - top - sizeof(size_t)); /* so the next chunk's header is before the limit */
  if ((uintptr_t)between != top + header)
    free(between); /* it is elsewhere: what follows the top is not known */
  else if (limit < (uintptr_t)sbrk(0))
    madvise((void *)limit, (uintptr_t)sbrk(0) - limit, MADV_DONTNEED);
#endif
}

/* Replaces the code of the program by a copy in huge pages, which new processes share without touching them one by one.
   Returns 1, since the program comes first and its libraries are small. */
static int copy_code(struct dl_phdr_info *program, size_t size, void *data) {
  (void)size, (void)data;
#ifdef MADV_HUGEPAGE
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &program->dlpi_phdr[i];
    uintptr_t first = next_huge_page(program->dlpi_addr + part->p_vaddr);
    uintptr_t last = (program->dlpi_addr + part->p_vaddr + part->p_memsz) & ~(HUGE_PAGE - 1);
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || part->p_flags & PF_W || first >= last)
      continue;
    size_t length = last - first;
    char *room = mmap(NULL, length + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
      continue;
    char *copy = (char *)next_huge_page((uintptr_t)room);
    int moves = madvise(copy, length, MADV_HUGEPAGE) == 0;
    if (moves) {
      memcpy(copy, (const void *)first, length);
      moves = mprotect(copy, length, PROT_READ | PROT_EXEC) == 0 &&
              mremap(copy, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)first) == (void *)first;
    }
    if (copy > room)
      munmap(room, copy - room);
    munmap(moves ? copy + length : copy, room + HUGE_PAGE - copy + (moves ? 0 : length));
  }
#else
  (void)program;
#endif
  return 1;
}

/* Goes on in a folder, with all output in its log. */
static void enter(const char *folder) {
  int log = chdir(folder) ? -1 : open(LOG, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int nothing = open("/dev/null", O_RDONLY);
  if (log < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
      dup2(log, STDERR_FILENO) < 0)
    _exit(NO_FOLDER);
  close(log);
  close(nothing);
  signal(SIGINT, SIG_DFL);
}

/* Answers messages until the other end is closed; returns in each of the new processes. */
static void serve(void) {
  char folder[LONGEST_PATH];
  signal(SIGINT, SIG_IGN); /* the user means the kernels, and the next ones need a server */
  int has_small_pages = sysconf(_SC_PAGESIZE) == SMALL_PAGE;
  if (has_small_pages)
    leave_touched_pages();
  for (int kernels = 1;; kernels++) {
    ssize_t length = read(STDIN_FILENO, folder, sizeof folder - 1);
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      _exit(0);
    folder[length] = 0;
    int process = (int)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (process == 0) {
      enter(folder);
      return;
    }
    if (write(STDOUT_FILENO, &process, sizeof process) != sizeof process)
      _exit(0);
    if (kernels == KERNELS_BEFORE_COPY && has_small_pages)
      dl_iterate_phdr(copy_code, NULL); /* while the fourth is assembled */
  }
}

/* fopen of the C library, but for the first time that ptxas opens its input. */
__attribute__((visibility("default"))) FILE *fopen(const char *path, const char *mode) {
  static FILE *(*original)(const char *, const char *);
  if (!original)
    *(void **)&original = dlsym(RTLD_NEXT, "fopen");
  if (getenv(SERVES) && strcmp(path, INPUT) == 0) {
    unsetenv(SERVES);
    serve();
  }
  return original(path, mode);
}
