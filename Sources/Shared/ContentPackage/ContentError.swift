import Glibc
package import StoreFoundation

/// Why work on hosted content failed.
package struct ContentError: Error, Hashable, Sendable {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is not enough room on a disk.
        package static let full = Code(rawValue: "full")
        /// The bytes are not what they are said to be: cut off, changed, or contradicting themselves.
        package static let damaged = Code(rawValue: "damaged")
        /// A limit is passed.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The file is of another kind altogether.
        package static let notAPackage = Code(rawValue: "not_a_package")
        /// The content breaks rules; the findings say which.
        package static let refused = Code(rawValue: "refused")
        /// There is something where something new was to be.
        package static let occupied = Code(rawValue: "occupied")
        /// There is no such file.
        package static let missing = Code(rawValue: "missing")
        /// The disk failed, or does not let us.
        package static let inputOutput = Code(rawValue: "input_output")
        /// The caller stopped it.
        package static let cancelled = Code(rawValue: "cancelled")
    }

    package let code: Code
    /// One sentence that is safe to log.
    package let message: String
    /// What is wrong with content that was refused.
    package let findings: [ContentFinding]

    package init(_ code: Code, _ message: String, findings: [ContentFinding] = []) {
        self.code = code
        self.message = message
        self.findings = findings
    }

    /// The failure for what the system would not do.
    package init(_ failure: FileFailure) {
        if failure.isFull {
            self.init(.full, "there is no room left: \(failure)")
        } else if failure.number == ENOENT || failure.number == ENOTDIR {
            self.init(.missing, "\(failure)")
        } else {
            self.init(.inputOutput, "\(failure)")
        }
    }

    /// Content that was refused for what was found.
    package static func refused(_ findings: [ContentFinding]) -> ContentError {
        let first = findings.first.map { ": \($0)" } ?? ""
        let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
        return ContentError(.refused, "the content breaks the rules\(first)\(more)", findings: findings)
    }

    /// Runs something that may meet a failure of the system, and throws that as one of ours.
    static func catching<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as FileFailure {
            throw ContentError(failure)
        }
    }
}

extension ContentError: CustomStringConvertible {
    package var description: String { message }
}

/// What the caller of long work hears of it, and how the caller stops it.
package struct ContentWork {
    /// Bytes that are done, and all bytes; called about once for each piece.
    package var progress: (_ done: Int64, _ total: Int64) -> Void
    package var isCancelled: () -> Bool

    package init(
        progress: @escaping (_ done: Int64, _ total: Int64) -> Void = { _, _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.progress = progress
        self.isCancelled = isCancelled
    }

    func advance(to done: Int64, of total: Int64) throws {
        progress(done, total)
        if isCancelled() { throw ContentError(.cancelled, "the work was cancelled") }
    }
}
