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
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char INPUT[] = "kernel.ptx";
static const char LOG[] = "log";
static const char SERVES[] = "TTKIT_PTXAS_SERVES";
enum { LONGEST_PATH = 4096, NO_FOLDER = 125 };

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
  for (;;) {
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
