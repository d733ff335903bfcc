/// Nothing reads a clock but SystemClock.swift of the store and of the device; tests and benchmarks only measure.
struct ClockReads: FileRule {
    let sentence = "Time is handed in; only SystemClock.swift reads a clock"

    /// Reads of the time of day.
    private static let wallClock: [[String]] = [
        ["Date", "(", ")"], ["Date", ".", "now"], ["Date", ".", "init", "(", ")"], ["timeIntervalSinceNow"],
        ["NSDate", "(", ")"], ["CFAbsoluteTimeGetCurrent"], ["DispatchWallTime", ".", "now"], ["gettimeofday"],
        ["time", "(", "nil", ")"], ["time", "(", "NULL", ")"], ["CLOCK_REALTIME"], ["timespec_get"], ["UTCClock"],
    ]

    /// Reads of clocks that only measure.
    private static let stopwatches: [[String]] = [
        ["ContinuousClock"], ["SuspendingClock"], ["DispatchTime", ".", "now"], ["clock_gettime"], ["systemUptime"],
        ["mach_absolute_time"], ["clock", "(", ")"],
    ]

    /// What SQL calls the time of day, in small letters.
    private static let statements = [
        "current_timestamp", "current_date", "current_time", "localtimestamp", "clock_timestamp(", "unixepoch(",
        "julianday(", "now()", "'now'",
    ]

    /// The targets that have a clock: the shells of the store and of the device.
    private static let shells = ["till", "StoreKit"]

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let top = file.folders.first, ["Sources", "Tests", "Benchmarks"].contains(top) else { return [] }
        let isClock = top == "Sources" && file.name == "SystemClock.swift" && Self.shells.contains(file.target ?? "")
        guard !isClock, file.target != "RepositoryTests" else { return [] }
        let isSource = top == "Sources"
        let reads = Self.wallClock + (isSource ? Self.stopwatches : [])
        var found: [Violation] = []
        for read in reads {
            let lines = file.source?.lines(of: read) ?? []
            found += lines.map { Violation(file, $0, "\(read.joined()) reads a clock; take an instant instead") }
        }
        return found + (isSource ? statementViolations(in: file) : [])
    }

    private func statementViolations(in file: RepositoryFile) -> [Violation] {
        let texts: [String]
        if let source = file.source {
            texts = source.lines.map(\.literal)
        } else if file.path.hasSuffix(".sql") {
            texts = file.lines.map(String.init)
        } else {
            return []
        }
        return texts.enumerated().compactMap { index, text in
            let text = text.lowercased()
            return Self.statements.first(where: text.contains).map { statement in
                Violation(file, index + 1, "\(statement) reads the database's clock; bind an instant instead")
            }
        }
    }
}
