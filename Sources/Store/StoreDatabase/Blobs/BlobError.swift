/// Why a blob could not be kept or had.
package struct BlobError: Error, Hashable, Sendable {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no such blob.
        package static let missing = Code(rawValue: "missing")
        /// The content is longer than the limit.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The content is not what its name says.
        package static let damaged = Code(rawValue: "damaged")
        /// The range lies outside the content.
        package static let outOfRange = Code(rawValue: "out_of_range")
        /// There is no room left.
        package static let full = Code(rawValue: "full")
        /// The disk failed, or does not let us.
        package static let inputOutput = Code(rawValue: "input_output")
        /// The content was kept or given up already.
        package static let ended = Code(rawValue: "ended")
    }

    package let code: Code
    /// One sentence that is safe to log.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension BlobError: CustomStringConvertible {
    package var description: String { message }
}
