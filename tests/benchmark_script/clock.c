/* A host whose clock somebody sets: what is asked for the time of day is answered as much later as a file says. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long *set_by_microseconds;

__attribute__((constructor)) static void begin(void)
{
    int file = open(getenv("CLOCK_SET_BY"), O_RDONLY | O_CLOEXEC);
    set_by_microseconds = mmap(NULL, sizeof *set_by_microseconds, PROT_READ, MAP_SHARED, file, 0);
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        long long nanoseconds = now->tv_nsec + *set_by_microseconds % 1000000 * 1000;
        now->tv_sec += *set_by_microseconds / 1000000 + (nanoseconds >= 1000000000) - (nanoseconds < 0);
        now->tv_nsec = (nanoseconds + 1000000000) % 1000000000;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec fine;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &fine);
    now->tv_sec = fine.tv_sec;
    now->tv_usec = fine.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *to)
{
    struct timespec fine;
    clock_gettime(CLOCK_REALTIME, &fine);
    if (to)
        *to = fine.tv_sec;
    return fine.tv_sec;
}
