package import StoreHTTP
package import StoreModel

/// The processor of a store that has none: everything is refused before anything happens.
package struct NoProcessor: PaymentProcessor {
    package init() {}

    private static let error = ProcessorError(
        .noProcessor, "This store has no payment processor, so it cannot sell; choose one with --production-processor.")

    package func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        throw Self.error
    }

    package func capture(
        key: String, reference: String, amount: Money
    ) async throws(ProcessorError) -> CaptureOutcome {
        throw Self.error
    }

    package func void(key: String, reference: String) async throws(ProcessorError) {
        throw Self.error
    }

    package func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        throw Self.error
    }

    package func lookup(key: String) async throws(ProcessorError) -> LookupOutcome {
        throw Self.error
    }

    package func news(fields: HTTPFields, body: [UInt8], at time: Instant) throws(ProcessorError) -> ProcessorNews {
        throw Self.error
    }
}
