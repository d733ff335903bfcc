import StoreModel

/// When observers hear of downloads: at most ten times a second, and at once of each that ends or is paused.
///
/// What waits is merged: of each download the newest state is told, in the order in which they began to wait.
struct DownloadCalls: Sendable {
    /// A download, and what it is now.
    struct Changed: Sendable {
        let download: SKDownload
        let entry: DownloadEntry
    }

    // Closed: the driver must know all.
    enum Step: Sendable {
        /// Tell the observers now.
        case tell([Changed])
        /// Say after so many milliseconds that this round is due.
        case wait(Int64, round: Int)
        case nothing
    }

    /// How many milliseconds lie between two calls.
    static let interval: Int64 = 100

    private var waiting: [Changed] = []
    private var last: Instant?
    /// Rises with every call: a wait for an earlier one is over.
    private var round = 0
    /// Whether this round will be said to be due.
    private var isAwaited = false

    /// Takes in that downloads have changed.
    mutating func take(_ changed: [Changed], at now: Instant) -> Step {
        for one in changed {
            if let index = waiting.firstIndex(where: { $0.download === one.download }) {
                waiting[index] = one
            } else {
                waiting.append(one)
            }
        }
        let left = Self.left(since: last, at: now)
        let isUrgent = changed.contains { $0.entry.isTerminal || $0.entry.state == .paused }
        if isUrgent || left == 0 { return all(at: now) }
        guard !waiting.isEmpty, !isAwaited else { return .nothing }
        isAwaited = true
        return .wait(left, round: round)
    }

    /// The wait of a round is over.
    mutating func due(_ round: Int, at now: Instant) -> Step { round == self.round ? all(at: now) : .nothing }

    /// Everything that waits, because something follows that has to be told after it.
    mutating func all(at now: Instant) -> Step {
        guard !waiting.isEmpty else { return .nothing }
        let told = waiting
        self = DownloadCalls(last: now, round: round + 1)
        return .tell(told)
    }

    /// Forgets what waits: it is told when an engine is attached again.
    mutating func forget() { self = DownloadCalls(last: last, round: round + 1) }

    init() {}

    private init(last: Instant?, round: Int) {
        self.last = last
        self.round = round
    }

    private static func left(since last: Instant?, at now: Instant) -> Int64 {
        // A clock that was set back does not silence anybody.
        guard let last, now >= last else { return 0 }
        return max(0, interval - (now.millisecondsSinceEpoch - last.millisecondsSinceEpoch))
    }
}
