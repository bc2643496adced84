/* Makes every fsync and fdatasync of one process later by BAILING_BENCH_SYNC_DELAY_US microseconds: a slower disk, honestly waited for.
   The sync itself still happens. Loaded with LD_PRELOAD into the process that holds the database file, and into no other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_longer(void) {
  const char *said = getenv("BAILING_BENCH_SYNC_DELAY_US");
  long us = said ? atol(said) : 0;
  struct timespec left = {us / 1000000, (us % 1000000) * 1000};
  while (us > 0 && nanosleep(&left, &left) != 0) {
  }
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_longer();
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_longer();
  return real(fd);
}
