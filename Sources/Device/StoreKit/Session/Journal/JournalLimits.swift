/// How much the journal takes.
enum JournalLimits {
    /// The most payments that are not finished. Each further one fails at once.
    static let payments = 200
    /// The most bytes of a signed transaction.
    static let signedBytes = 64 * 1024
    /// The most bytes of a transaction's receipt.
    static let receiptBytes = 64 * 1024
    /// The most characters of a product id or a user name of the app.
    static let textBytes = 1024
    /// How long a statement waits for another process.
    static let wait = Duration.seconds(5)
    /// How often a process tries to make the file while others do, and the pause between in microseconds: five seconds in all.
    static let openings = 500
    static let openingPause: UInt32 = 10_000
    /// How many journals that were set aside are kept.
    static let asideCount = 3
}
