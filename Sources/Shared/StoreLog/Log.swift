package import StoreModel

/// Where a part of the store tells what happens in it.
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
    ///   - time: tells when something happens.
    ///   - sink: takes the entries, from any thread, in no order but that of the calls of each.
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

    package func info(_ event: String, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.info, event, message, fields)
    }

    package func warning(_ event: String, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.warning, event, message, fields)
    }

    package func error(_ event: String, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.error, event, message, fields)
    }

    /// Writes an entry of a level that is only known when it is written.
    package func write(
        _ level: LogLevel, _ event: String, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        guard takes(level) else { return }
        sink(
            LogEntry(
                time: time(), level: level, event: event, message: message,
                fields: fields.map { LogEntry.Field($0.key, $0.value) }))
    }
}
