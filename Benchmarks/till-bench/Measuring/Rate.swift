/// How much was done in how much time.
struct Rate: Hashable, Sendable {
    let operations: Int
    let seconds: Double

    var perSecond: Double { seconds > 0 ? Double(operations) / seconds : 0 }
}
