/// Why the log of the test processor cannot be used. Its description is safe to log.
package struct TestProcessorLogError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A line is not what was written.
        package static let damaged = Code(rawValue: "damaged")
        /// The disk does not do what it is asked.
        package static let inputOutput = Code(rawValue: "input_output")
        /// Another process has the log.
        package static let busy = Code(rawValue: "busy")
        /// The log has been closed.
        package static let closed = Code(rawValue: "closed")
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
