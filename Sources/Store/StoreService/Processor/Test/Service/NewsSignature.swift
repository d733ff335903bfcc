import StoreHTTP
package import StoreModel
import StoreSigning

/// The proof that news come from the test processor: when they were sent, and a code over that and the body.
package struct NewsSignature: Sendable {
    package static let field = "Till-Processor-Signature"
    /// How old news may be, and how far ahead the clock that dated them.
    package static let tolerance = 300_000 as Int64

    private let code: AuthenticationCode

    package init(secret: String) throws {
        code = try AuthenticationCode(secret: secret.utf8)
    }

    /// The value of the field: `t=<milliseconds>,v1=<hexadecimal>`.
    package func value(for body: [UInt8], at time: Instant) throws -> String {
        let stamp = time.millisecondsSinceEpoch
        return "t=\(stamp),v1=\(Hexadecimal.encode(try code.code(of: Self.message(stamp, body))))"
    }

    func check(_ fields: HTTPFields, _ body: [UInt8], at time: Instant) throws(ProcessorError) {
        let parts = (fields[Self.field] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("t="), parts[1].hasPrefix("v1="),
            let stamp = Int64(parts[0].dropFirst(2)), let given = Hexadecimal.decode(String(parts[1].dropFirst(3))),
            (try? code.isGood(given, for: Self.message(stamp, body))) == true
        else { throw ProcessorError(.newsRefused, "The news are not signed with the secret of this processor.") }
        let (age, isTooFar) = time.millisecondsSinceEpoch.subtractingReportingOverflow(stamp)
        guard !isTooFar, age.magnitude <= Self.tolerance else {
            throw ProcessorError(.newsRefused, "The news were signed too long ago, or by a clock that is ahead.")
        }
    }

    private static func message(_ stamp: Int64, _ body: [UInt8]) -> [UInt8] { Array("\(stamp).".utf8) + body }
}
