/// The limits of the test processor.
package enum TestProcessorLimits {
    /// The body of a request for the records of many keys.
    static let keysBytes = 1024 * 1024
    /// A key, in bytes.
    package static let keyBytes = 200
    /// A token or a description, in bytes.
    package static let textBytes = 500
    /// The body of a request, in bytes.
    package static let bodyBytes = 16 * 1024
    /// A line of the log, in bytes.
    package static let lineBytes = 16 * 1024
    /// Scripts at once.
    package static let scripts = 1000
    /// Calls of one script.
    package static let scriptCalls = 1_000_000
    /// Records of one answer about the log.
    package static let page = 1000
}
