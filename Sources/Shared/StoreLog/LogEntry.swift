package import StoreModel

/// One thing that happened.
///
/// The name is for programs and never changes, the message for people. Whoever makes an entry answers for it that no
/// field holds a secret: no token, no password, no receipt, no body.
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
    package var fields: [Field]

    package init(time: Instant, level: LogLevel, event: String, message: String, fields: [Field] = []) {
        self.time = time
        self.level = level
        self.event = event
        self.message = message
        self.fields = fields
    }
}
