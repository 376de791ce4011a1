/* A clock that is CLOCK_AHEAD seconds ahead, for all processes of a test run: `make test-at`.
 *
 * libfaketime shifts more than this and so breaks what waits: sleeping, and the alarms of PostgreSQL
 * that find a deadlock. Only the time of day is another here; how long a thing takes stays the same.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead;

__attribute__((constructor)) static void begin(void)
{
    const char *told = getenv("CLOCK_AHEAD");
    ahead = told ? atol(told) : 0;
}

int clock_gettime(clockid_t which, struct timespec *at)
{
    int failed = syscall(SYS_clock_gettime, which, at);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
        at->tv_sec += ahead;
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
