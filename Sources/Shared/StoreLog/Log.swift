package import StoreModel

/// A log, to which a part of the store writes what happens.
///
/// ```swift
/// log.info("listener.started", "Listening.", ["address": "\(endpoint)"])
/// ```
package struct Log: Sendable {
    private let least: LogLevel
    private let time: @Sendable () -> Instant
    private let sink: @Sendable (LogEntry) -> Void

    /// - Parameters:
    ///   - least: entries below this level are dropped before they are made.
    ///   - time: returns the time of an entry.
    ///   - sink: receives the entries, from any thread, in the order of each thread's calls.
    package init(
        least: LogLevel = .info, time: @escaping @Sendable () -> Instant,
        sink: @escaping @Sendable (LogEntry) -> Void
    ) {
        self.least = least
        self.time = time
        self.sink = sink
    }

    /// Whether entries of a level are written at all.
    package func takes(_ level: LogLevel) -> Bool { level >= least }

    package func debug(_ event: String, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.debug, event, message, fields)
    }

    /// - Parameter what: whom and what it is about, for people at a window, who see no fields.
    package func info(
        _ event: String, _ message: String, about what: String = "", _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.info, event, message, about: what, fields)
    }

    package func warning(_ event: String, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.warning, event, message, fields)
    }

    package func error(_ event: String, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.error, event, message, fields)
    }

    /// Writes an entry of a level that is only known when it is written.
    package func write(
        _ level: LogLevel, _ event: String, _ message: String, about what: String = "",
        _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        guard takes(level) else { return }
        sink(
            LogEntry(
                time: time(), level: level, event: event, message: message, what: what,
                fields: fields.map { LogEntry.Field($0.key, $0.value) }))
    }
}

/// One thing that happened.
///
/// The name is for programs and never changes, the message for people. No field may contain a secret: no token,
/// password, receipt or body.
package struct LogEntry: Hashable, Sendable {
    /// A field of an entry.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: LogValue

        package init(_ name: String, _ value: LogValue) {
            self.name = name
            self.value = value
        }
    }

    package var time: Instant
    package var level: LogLevel
    /// What happened, as words with dots between them: `listener.started`.
    package var event: String
    package var message: String
    /// Whom and what it is about, for people at a window.
    package var what: String
    package var fields: [Field]

    package init(
        time: Instant, level: LogLevel, event: String, message: String, what: String = "", fields: [Field] = []
    ) {
        self.time = time
        self.level = level
        self.event = event
        self.message = message
        self.what = what
        self.fields = fields
    }
}

/// How important an entry is.
// Closed: readers of logs know these levels.
package enum LogLevel: String, CaseIterable, Sendable {
    /// For debugging.
    case debug
    /// Normal operation.
    case info
    /// Work continued, but the operator should look.
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

/// The value of a field.
// Closed: a value of another kind would need its own form in both formats.
package enum LogValue: Hashable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .text(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .number(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .flag(value) }
}
