import StoreLog

/// Writes the log to standard error, a line at a time.
struct LogWriter: Sendable {
    let format: LogFormat
    let write: @Sendable ([UInt8]) -> Void

    /// The log of a command that runs for long.
    func log(least: LogLevel) -> Log {
        let (format, write) = (format, write)
        // One call writes a whole line, which the system keeps together with those of other threads.
        return Log(least: least, time: SystemClock.now, sink: { write(Array((format.line(of: $0) + "\n").utf8)) })
    }
}
