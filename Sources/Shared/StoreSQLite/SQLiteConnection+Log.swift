import CSQLite

extension SQLiteConnection {
    /// How much a checkpoint does about those who are in its way.
    package enum CheckpointMode: Hashable, Sendable {
        // Closed: the two of SQLite's ways that are of use here.
        /// Copies what it can without making anybody wait.
        case passive
        /// Waits for others, makes writers wait, copies everything, and empties the log.
        case truncate
    }

    /// Leaves checkpoints to others, and counts the pages of the write-ahead log instead; ``logPages`` tells them.
    package func leaveCheckpointsToOthers() {
        sqlite3_wal_hook(
            handle,
            { counter, _, _, pages in
                counter?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, logPageCounter)
    }

    /// How many pages the write-ahead log had after the last commit.
    package var logPages: Int { Int(logPageCounter.pointee) }

    /// Copies pages from the write-ahead log into the database; gives how long the log is, and how much of
    /// it is in the database now.
    package func checkpoint(_ mode: CheckpointMode) throws -> (logPages: Int, copiedPages: Int) {
        // A connection that has read nothing yet does not know that there is a log, and would do nothing.
        try run("SELECT 1 FROM sqlite_schema LIMIT 1")
        var (pages, copied): (Int32, Int32) = (0, 0)
        let mode = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        try check(sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &copied))
        return (Int(pages), Int(copied))
    }
}
