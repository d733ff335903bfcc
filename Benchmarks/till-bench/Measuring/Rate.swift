/// How much was done in how much time.
struct Rate: Hashable, Sendable {
    let operations: Int
    let seconds: Double

    var perSecond: Double { seconds > 0 ? Double(operations) / seconds : 0 }

    /// What one operation took.
    var microseconds: Double { operations > 0 ? seconds / Double(operations) * 1_000_000 : 0 }
}
