/// How much an entry matters, and to whom.
// Closed: these are the levels every reader of logs knows.
package enum LogLevel: String, CaseIterable, Sendable {
    /// For who looks for a fault.
    case debug
    /// What happened, as it should.
    case info
    /// It went on, but somebody should look.
    case warning
    /// Something that was asked for could not be done.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

extension LogLevel: Comparable {
    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
