#ifndef TILL_CFAULTYDISK_H
#define TILL_CFAULTYDISK_H

// A disk under SQLite that fails on demand. Once installed it is the default for every connection of the process, and
// passes everything on to the real one but where a plan says otherwise.

enum till_disk_call {
    TILL_DISK_READ = 1,
    TILL_DISK_WRITE = 2,
    TILL_DISK_SYNC = 4,
    TILL_DISK_TRUNCATE = 8,
    TILL_DISK_SHARED_MEMORY = 16,
};

// Installs the disk, and two functions of SQL in every connection from then on: till_test_interrupt(), which interrupts its
// own statement, and till_test_no_memory(), which reports that there is no memory. Returns a result code of SQLite.
int till_disk_install(void);

// Makes a plan for all files whose path begins with a prefix; returns its number, or -1 if there are too many.
int till_disk_plan(const char *prefix);

// From now on: the given kinds of calls are counted, and from the one with this number on (the first is 1) so many fail with
// a code of SQLite. Number 0 only counts. Only files whose path ends with the suffix count.
void till_disk_fail(int plan, int calls, long number, long times, int code, const char *suffix);

// How many calls were counted since the last till_disk_fail.
long till_disk_count(int plan);

void till_disk_forget(int plan);

#endif
