#ifndef TILL_CLINUX_H
#define TILL_CLINUX_H

// What the C library has and Swift's module of it leaves out.
#include <fcntl.h>
#include <linux/stat.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

// The headers declare them for GNU's sources only, as which Swift's module does not read them.
extern int pipe2(int ends[2], int flags);
extern long syscall(long number, ...);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// A struct and a function of one name: Swift sees the struct alone.
static inline int till_file_system_kind(const char *path, long long *kind) {
    struct statfs system;
    if (statfs(path, &system) != 0) return -1;
    *kind = (long long)system.f_type;
    return 0;
}

// When an open file was made, in nanoseconds since 1970; 0 where its file system does not know.
static inline int till_birth_time(int descriptor, long long *nanoseconds) {
    struct statx status = {0};
    if (syscall(SYS_statx, descriptor, "", 0x1000 /* AT_EMPTY_PATH */, STATX_BTIME, &status) != 0) return -1;
    *nanoseconds = status.stx_mask & STATX_BTIME
                       ? (long long)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec
                       : 0;
    return 0;
}

// Whether the kernel's clock is kept by a time server: 1, 0, or -1 where it does not say.
static inline int till_clock_is_synchronized(void) {
    struct timex times = {0};
    int state = adjtimex(&times);
    if (state < 0) return -1;
    return state != TIME_ERROR && (times.status & STA_UNSYNC) == 0;
}

#endif
