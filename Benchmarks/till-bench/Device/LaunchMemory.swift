/// The memory of a process in which an app with a long history has started.
final class LaunchMemory: Contestant {
    private let history: LongHistory

    init(_ history: LongHistory) {
        self.history = history
    }

    /// The time of the rate is the memory of one in gigabytes.
    func run(seconds: Double) throws -> Rate {
        let app = try ServerProcess(appOf: history.device)
        return Rate(operations: 1, seconds: Double(try app.memory()) / 1e9)
    }
}
