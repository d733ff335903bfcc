/// How much a database takes on. Every limit has a name, and what exceeds it an error that names it.
@usableFromInline
package struct DatabaseLimits: Hashable, Sendable {
    /// How many writes may wait for their turn; one more is refused as retryable.
    package var waitingWrites = 4096
    /// How many reads may wait for their turn; one more is refused as retryable.
    package var waitingReads = 4096
    /// How many writes share one commit.
    package var writesPerCommit = 256
    /// How many connections read at a time.
    package var readers = 4
    /// How many look-ups run at a time on the threads of those who ask; one more waits as any read.
    package var lookUps = 4
    /// How many rows one query may give.
    package var rowsPerQuery = 100_000
    /// How many prepared statements a connection keeps.
    package var statementsPerConnection = 256
    /// How many KiB of pages SQLite's writer, and each of its readers, keep in memory; they grow as they are used.
    package var writerCacheKibibytes = 32 << 10
    package var readerCacheKibibytes = 8 << 10
    /// How long a statement waits for the locks of others.
    package var busyMilliseconds = 5000
    /// How many pages of SQLite's write-ahead log are left before they are copied into the database.
    package var pagesPerCheckpoint = 1000
    /// How many pages the log may have before writers are made to wait until it is empty.
    package var pagesInLog = 12_000
    /// How long the file of the log stays when it begins anew, in bytes.
    package var logBytes = 16 << 20
    /// How often PostgreSQL's driver runs a closure again that could not be serialised.
    package var serializationAttempts = 10
    /// How many bytes one text or byte value may have.
    package var bytesPerValue = 16 << 20
    /// How many signals wait for one listener; when there are more, it is told that it missed some.
    package var waitingSignals = 1024

    package init() {}
}
