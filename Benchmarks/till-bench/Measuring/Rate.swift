/// How much was done in how much time.
struct Rate: Hashable, Sendable {
    let operations: Int
    let seconds: Double
    /// The share of a database's transactions that could not be committed and ran again, where the database counts them.
    var conflicts: Double?

    var perSecond: Double { seconds > 0 ? Double(operations) / seconds : 0 }
}
