/// Why a call to a processor has no outcome. Its description is safe to log.
package struct ProcessorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The call never reached the processor: certainly nothing happened, and it may be tried again.
        package static let notSent = Code(rawValue: "not_sent")
        /// There is no answer, or none that can be read: a time-out, a broken connection. It may have happened or not.
        package static let unknown = Code(rawValue: "unknown")
        /// The processor refuses the call as it stands: nothing happened, and trying again is no use.
        package static let refused = Code(rawValue: "refused")
        /// Another call, or one with other parameters, had this key: nothing happened now.
        package static let keyReused = Code(rawValue: "key_reused")
        /// There is no processor to ask: nothing happened.
        package static let noProcessor = Code(rawValue: "no_processor")
        /// News that do not prove who says them, that are too old, or that cannot be read.
        package static let newsRefused = Code(rawValue: "news_refused")
    }

    package let code: Code
    /// What happened, why, and what to do.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether this call certainly had no effect. Of a code that is not known, nothing is certain.
    package var isCertainlyNotCarriedOut: Bool {
        [.notSent, .refused, .keyReused, .noProcessor, .newsRefused].contains(code)
    }

    package var description: String { "\(message) (\(code.rawValue))" }
}
