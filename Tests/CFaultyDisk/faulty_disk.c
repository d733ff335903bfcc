#include "CFaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { longest_path = 512, plan_limit = 64 };

struct plan {
    int is_used, calls, code;
    long number, times, count;
    char prefix[longest_path], suffix[32];
};

struct faulty_file {
    sqlite3_file base;
    char path[longest_path];
    sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct plan plans[plan_limit];
static sqlite3_vfs *real_disk;
static sqlite3_vfs disk;
static sqlite3_io_methods methods;

static int ends_with(const char *text, const char *suffix) {
    size_t length = strlen(text), end = strlen(suffix);
    return length >= end && strcmp(text + length - end, suffix) == 0;
}

// The code that a call is to fail with, or SQLITE_OK.
static int fault(sqlite3_file *file, int call) {
    const char *path = ((struct faulty_file *)file)->path;
    int code = SQLITE_OK;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < plan_limit; index++) {
        struct plan *plan = &plans[index];
        if (!plan->is_used || !(plan->calls & call) || strncmp(path, plan->prefix, strlen(plan->prefix)) != 0 ||
            !ends_with(path, plan->suffix))
            continue;
        plan->count++;
        if (plan->number > 0 && plan->count >= plan->number && plan->count < plan->number + plan->times)
            code = plan->code;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static sqlite3_file *real(sqlite3_file *file) { return ((struct faulty_file *)file)->real; }

static int disk_close(sqlite3_file *file) {
    struct faulty_file *own = (struct faulty_file *)file;
    int result = own->real->pMethods ? own->real->pMethods->xClose(own->real) : SQLITE_OK;
    free(own->real);
    own->real = NULL;
    return result;
}
static int disk_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = fault(file, TILL_DISK_READ);
    return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}
static int disk_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = fault(file, TILL_DISK_WRITE);
    if (!code) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    // A disk that fails or fills up may have taken a part.
    real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    return code;
}
static int disk_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = fault(file, TILL_DISK_TRUNCATE);
    return code ? code : real(file)->pMethods->xTruncate(real(file), size);
}
static int disk_sync(sqlite3_file *file, int flags) {
    int code = fault(file, TILL_DISK_SYNC);
    return code ? code : real(file)->pMethods->xSync(real(file), flags);
}
static int disk_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
static int disk_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int disk_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int disk_check_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int disk_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int disk_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int disk_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int disk_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    int code = fault(file, TILL_DISK_SHARED_MEMORY);
    return code ? code : real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}
static int disk_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void disk_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int disk_unmap(sqlite3_file *file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result_flags) {
    struct faulty_file *own = (struct faulty_file *)file;
    (void)vfs;
    memset(own, 0, sizeof *own);
    own->real = calloc(1, (size_t)real_disk->szOsFile);
    if (!own->real) return SQLITE_NOMEM;
    if (path) strncpy(own->path, path, longest_path - 1);
    int result = real_disk->xOpen(real_disk, path, own->real, flags, result_flags);
    if (own->real->pMethods) {
        own->base.pMethods = &methods;
    } else {
        free(own->real);
        own->real = NULL;
    }
    return result;
}

static void interrupt_itself(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count, (void)values;
    sqlite3_interrupt(sqlite3_context_db_handle(context));
    sqlite3_result_int(context, 1);
}
static void report_no_memory(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count, (void)values;
    sqlite3_result_error_nomem(context);
}
static int add_functions(sqlite3 *connection, char **message, const void *routines) {
    (void)message, (void)routines;
    int result = sqlite3_create_function(
        connection, "till_test_interrupt", 0, SQLITE_UTF8, NULL, interrupt_itself, NULL, NULL);
    if (result) return result;
    return sqlite3_create_function(
        connection, "till_test_no_memory", 0, SQLITE_UTF8, NULL, report_no_memory, NULL, NULL);
}

static int install(void) {
    real_disk = sqlite3_vfs_find(NULL);
    if (!real_disk) return SQLITE_ERROR;
    disk = *real_disk;
    disk.pNext = NULL;
    disk.zName = "till-faulty-disk";
    disk.szOsFile = sizeof(struct faulty_file);
    disk.xOpen = disk_open;
    methods = (sqlite3_io_methods){
        .iVersion = 2, .xClose = disk_close, .xRead = disk_read, .xWrite = disk_write, .xTruncate = disk_truncate,
        .xSync = disk_sync, .xFileSize = disk_file_size, .xLock = disk_lock, .xUnlock = disk_unlock,
        .xCheckReservedLock = disk_check_lock, .xFileControl = disk_control, .xSectorSize = disk_sector_size,
        .xDeviceCharacteristics = disk_characteristics, .xShmMap = disk_map, .xShmLock = disk_shm_lock,
        .xShmBarrier = disk_barrier, .xShmUnmap = disk_unmap,
    };
    int result = sqlite3_auto_extension((void (*)(void))add_functions);
    return result ? result : sqlite3_vfs_register(&disk, 1);
}

int till_disk_install(void) {
    static int is_installed, result;
    pthread_mutex_lock(&lock);
    if (!is_installed) result = install();
    is_installed = 1;
    pthread_mutex_unlock(&lock);
    return result;
}

int till_disk_plan(const char *prefix) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < plan_limit && found < 0; index++) {
        if (plans[index].is_used) continue;
        memset(&plans[index], 0, sizeof plans[index]);
        plans[index].is_used = 1;
        strncpy(plans[index].prefix, prefix, longest_path - 1);
        found = index;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void till_disk_fail(int plan, int calls, long number, long times, int code, const char *suffix) {
    pthread_mutex_lock(&lock);
    struct plan *own = &plans[plan];
    own->calls = calls;
    own->number = number;
    own->times = times;
    own->code = code;
    own->count = 0;
    memset(own->suffix, 0, sizeof own->suffix);
    strncpy(own->suffix, suffix, sizeof own->suffix - 1);
    pthread_mutex_unlock(&lock);
}

long till_disk_count(int plan) {
    pthread_mutex_lock(&lock);
    long count = plans[plan].count;
    pthread_mutex_unlock(&lock);
    return count;
}

void till_disk_forget(int plan) {
    pthread_mutex_lock(&lock);
    plans[plan].is_used = 0;
    pthread_mutex_unlock(&lock);
}
