/// How a client stands with a limit: how many requests at once there may be, and how many are left.
struct RateStanding: Hashable, Sendable {
    let limit: Int
    let remaining: Int

    /// Of two limits the one that will refuse first.
    func tightened(by other: RateStanding) -> RateStanding { other.remaining < remaining ? other : self }
}
