/* What Java cannot ask the kernel for. Java's own header is not needed: nothing of its two arguments is used. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

int Java_Hostile_joinParentsGroup(void *env, void *type) { return setpgid(0, getpgid(getppid())); }
int Java_Hostile_leadSession(void *env, void *type) { return setsid(); }
int Java_Hostile_forgetParent(void *env, void *type) { return prctl(PR_SET_PDEATHSIG, 0); }
int Java_Hostile_standStill(void *env, void *type) { return kill(getpid(), SIGSTOP); }
