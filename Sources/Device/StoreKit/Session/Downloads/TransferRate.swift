import StoreModel

/// How fast something comes, from which follows when it will be there.
struct TransferRate: Sendable {
    /// How long is looked at before anything is said.
    private static let warmUp = Duration.seconds(1)
    /// How much of the estimate a newer observation makes.
    private static let weight = 0.3

    private var last: (count: Int64, at: Instant)?
    private var bytesPerSecond: Double?

    /// Takes in that so many bytes are there.
    mutating func note(_ count: Int64, at time: Instant) {
        guard let last, count >= last.count, time >= last.at else {
            // The first observation, or a clock or a part that was set back.
            self.last = (count, time)
            return
        }
        let seconds = Double(time.millisecondsSinceEpoch - last.at.millisecondsSinceEpoch) / 1000
        guard seconds >= Double(Self.warmUp.milliseconds) / 1000 else { return }
        let rate = Double(count - last.count) / seconds
        bytesPerSecond = bytesPerSecond.map { $0 + Self.weight * (rate - $0) } ?? rate
        self.last = (count, time)
    }

    /// How many seconds so many bytes will take; nil while that cannot be told.
    func seconds(for bytes: Int64) -> Int? {
        guard let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
        return Int(min((Double(max(0, bytes)) / bytesPerSecond).rounded(.up), 1_000_000_000))
    }
}
