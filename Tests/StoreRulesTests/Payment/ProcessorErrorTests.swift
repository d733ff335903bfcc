import StoreModel
import StoreRules
import Testing

@Suite("Errors of processors") struct ProcessorErrorTests {
    @Test("What may have been carried out is told apart from what certainly was not")
    func certainty() {
        let certain: [ProcessorError.Code] = [.notSent, .refused, .keyReused, .noProcessor, .newsRefused]
        for code in certain { #expect(ProcessorError(code, "").isCertainlyNotCarriedOut, "\(code.rawValue)") }
        #expect(!ProcessorError(.unknown, "").isCertainlyNotCarriedOut)
        // A code of a later version promises nothing.
        #expect(!ProcessorError(.init(rawValue: "later"), "").isCertainlyNotCarriedOut)
    }

    @Test("A store without a processor refuses everything before anything happens, and says what to do")
    func none() async throws {
        let processor: any PaymentProcessor = NoProcessor()
        let amount = Money(minorUnits: 199, currency: .usd)
        let order = AuthorisationRequest(key: "k", amount: amount, method: "m", description: "d")
        let calls: [() async throws -> Void] = [
            { _ = try await processor.authorise(order) },
            { _ = try await processor.capture(key: "k", reference: "r", amount: amount) },
            { try await processor.void(key: "k", reference: "r") },
            { _ = try await processor.refund(key: "k", reference: "r", amount: amount) },
            { _ = try await processor.lookup(key: "k") },
            { _ = try processor.news(field: { _ in nil }, body: [], at: .earliest) },
        ]
        for call in calls {
            let error = await #expect(throws: ProcessorError.self) { try await call() }
            #expect(error?.code == .noProcessor)
            #expect(error?.isCertainlyNotCarriedOut == true)
            #expect(error?.description.contains("--production-processor") == true)
        }
    }
}
