/// Why a backup was not made, or not put back. Its message is safe to show.
package struct UpkeepError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no backup, or something that is none.
        package static let noBackup = Code(rawValue: "no_backup")
        /// The backup is not whole, or not as it was made.
        package static let damaged = Code(rawValue: "damaged")
        /// The backup is of a newer version, or of another engine.
        package static let unsuitable = Code(rawValue: "unsuitable")
        /// Something is already where the result should go.
        package static let occupied = Code(rawValue: "occupied")
        /// Reading or writing failed.
        package static let inputOutput = Code(rawValue: "input_output")
        /// A program that is needed is missing or failed.
        package static let program = Code(rawValue: "program")
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
