import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// How requests end: once, on the main queue, or in silence.
@Suite("Requests", .bounded)
struct RequestTests {
    let session = ScriptedSession()
    let context: SessionContext
    let transcript = Transcript()
    let delegate: RecordingDelegate

    init() {
        context = SessionContext(session)
        delegate = RecordingDelegate(transcript)
        session.script { $0.products = ["banana": .test("banana"), "coconut": .test("coconut")] }
    }

    private func start(_ request: SKRequest) {
        request.delegate = delegate
        CurrentSession.$own.withValue(context) { request.start() }
    }

    @Test("R1.4: the response comes first, then the end; unknown identifiers are no failure")
    func success() async throws {
        let request = SKProductsRequest(productIdentifiers: ["banana", "mistake", "coconut"])
        start(request)
        try await transcript.until("finished SKProductsRequest")
        #expect(transcript.lines == ["response", "finished SKProductsRequest"])
        let response = try #require(delegate.response)
        #expect(Set(response.products.map(\.productIdentifier)) == ["banana", "coconut"])
        #expect(response.invalidProductIdentifiers == ["mistake"])
    }

    @Test("R1.4: the delegate of a products request is the same by the property of every request")
    func oneDelegate() throws {
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        (request as SKRequest).delegate = delegate
        #expect(request.delegate === delegate)
        request.delegate = nil
        #expect((request as SKRequest).delegate == nil)
    }

    @Test("R1.4: a subclass that has a delegate of its own tells it everything")
    func overriddenDelegate() async throws {
        let request = OverridingRequest(productIdentifiers: ["banana"])
        request.own = delegate
        CurrentSession.$own.withValue(context) { request.start() }
        try await transcript.until("finished OverridingRequest")
        #expect(transcript.lines == ["response", "finished OverridingRequest"])
    }

    @Test("R1.4: a delegate that does not ask for products is told how the request ends")
    func plainDelegate() async throws {
        let plain = PlainDelegate(transcript)
        let request: SKRequest = SKProductsRequest(productIdentifiers: ["banana"])
        request.delegate = plain
        CurrentSession.$own.withValue(context) { request.start() }
        try await transcript.until("ended")
        #expect(transcript.lines == ["ended"])
    }

    @Test("R1.4: any number of identifiers is asked for at once")
    func many() async throws {
        let identifiers = Set((1...5_000).map { "product.\($0)" })
        let request = SKProductsRequest(productIdentifiers: identifiers)
        start(request)
        try await transcript.until("finished SKProductsRequest")
        #expect(session.read(\.lookups) == [identifiers])
        #expect(delegate.response?.invalidProductIdentifiers.count == 5_000)
    }

    @Test("R1.4: no identifiers are an empty success, and the store is not asked")
    func empty() async throws {
        let request = SKProductsRequest(productIdentifiers: [])
        start(request)
        try await transcript.until("finished SKProductsRequest")
        #expect(delegate.response?.products.isEmpty == true)
        #expect(delegate.response?.invalidProductIdentifiers.isEmpty == true)
        #expect(session.read(\.lookups).isEmpty)
    }

    @Test("R1.4: a store that cannot be reached is one failure, and no end beside it")
    func failure() async throws {
        session.script { $0.failure = .test(.unknown) }
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        start(request)
        try await transcript.until("failed 0")
        try await mainQueueDrained()
        #expect(transcript.lines == ["failed 0"])
    }

    @Test("R1.4: start returns before anything is told")
    @MainActor func startReturns() async throws {
        let request = SKProductsRequest(productIdentifiers: [])
        start(request)
        #expect(transcript.lines.isEmpty)
        try await transcript.until("finished SKProductsRequest")
    }

    @Test("R1.4: a request works while payments are not allowed")
    func restricted() async throws {
        session.script { $0.canMakePayments = false }
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        start(request)
        try await transcript.until("finished SKProductsRequest")
        #expect(delegate.response?.products.count == 1)
    }

    @Test("R1.4: a request is sent once, however often it is started")
    func once() async throws {
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        start(request)
        start(request)
        try await transcript.until("finished SKProductsRequest")
        start(request)
        try await answered()
        #expect(session.read(\.lookups).count == 1)
        #expect(transcript.lines == ["response", "finished SKProductsRequest"])
    }

    @Test("R1.4: a request that is cancelled says nothing, and the look-up is given up")
    func cancelled() async throws {
        let gate = Gate()
        session.script { $0.gate = gate }
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        start(request)
        try await session.untilLookups(1)
        request.cancel()
        try await gate.untilCancelled(1)
        try await answered()
        #expect(transcript.lines.isEmpty)
    }

    @Test("R1.4: a request that is cancelled with its answer under way says nothing")
    @MainActor func cancelledLate() async throws {
        let request = SKReceiptRefreshRequest()
        let delivered = Transcript()
        start(request)
        DispatchQueue.main.async {
            request.cancel()
            delivered.write("cancelled")
        }
        try await delivered.until("cancelled")
        try await answered()
        #expect(transcript.lines.count <= 1)
    }

    @Test("R1.4: a request that its delegate cancels on the response does not end")
    func cancelledOnResponse() async throws {
        delegate.received = { $0.cancel() }
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        start(request)
        try await transcript.until("response")
        try await answered()
        #expect(transcript.lines == ["response"])
    }

    @Test("R1.4: a request that nobody keeps is answered, and gone afterwards")
    func unkept() async throws {
        let gate = Gate()
        session.script { $0.gate = gate }
        start(TellingRequest(transcript))
        try await session.untilLookups(1)
        #expect(transcript.lines.isEmpty)
        gate.open()
        try await transcript.until("gone")
        #expect(transcript.lines == ["response", "finished TellingRequest", "gone"])
    }

    @Test("R1.4: a request that nobody keeps is gone once it is cancelled")
    func unkeptAndCancelled() async throws {
        let gate = Gate()
        session.script { $0.gate = gate }
        do {
            let request = TellingRequest(transcript)
            start(request)
            try await session.untilLookups(1)
            request.cancel()
        }
        try await transcript.until("gone")
        #expect(transcript.lines == ["gone"])
    }

    @Test("X1: the delegate is not retained, and may be missing")
    func weakDelegate() async throws {
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        do {
            let delegate = RecordingDelegate(transcript)
            request.delegate = delegate
            #expect(request.delegate === delegate)
        }
        #expect(request.delegate == nil)
        CurrentSession.$own.withValue(context) { request.start() }
        try await answered()
        #expect(transcript.lines.isEmpty)
    }

    @Test("X1: a request of no kind asks for nothing")
    func plain() async throws {
        let request = SKRequest()
        start(request)
        try await answered()
        request.cancel()
        #expect(transcript.lines.isEmpty)
    }

    @Test("X1: a refreshed receipt is told once, and the sandbox gets the properties")
    func refresh() async throws {
        let request = SKReceiptRefreshRequest(receiptProperties: [
            SKReceiptPropertyIsExpired: NSNumber(value: true), SKReceiptPropertyIsRevoked: false,
            SKReceiptPropertyIsVolumePurchase: 1,
        ])
        start(request)
        try await transcript.until("finished SKReceiptRefreshRequest")
        #expect(
            session.read(\.refreshes) == [
                ReceiptProperties(isExpired: true, isRevoked: false, isVolumePurchase: true)
            ])
        #expect(request.receiptProperties?.count == 3)
        #expect(SKReceiptRefreshRequest().receiptProperties == nil)
    }

    @Test("X1: a refresh that the person cancels fails with an SKError")
    func refreshCancelled() async throws {
        session.script { $0.failure = .test(.paymentCancelled) }
        let request = SKReceiptRefreshRequest(receiptProperties: nil)
        start(request)
        try await transcript.until("failed 2")
        #expect(session.read(\.refreshes) == [ReceiptProperties()])
        #expect(transcript.lines == ["failed 2"])
    }

    /// Waits until another request, started now, was answered: by then so would the ones before.
    private func answered() async throws {
        let other = Transcript()
        let delegate = RecordingDelegate(other)
        let request = SKReceiptRefreshRequest()
        request.delegate = delegate
        CurrentSession.$own.withValue(SessionContext(ScriptedSession())) { request.start() }
        try await other.until("finished SKReceiptRefreshRequest")
        try await mainQueueDrained()
    }
}

// Safe: its delegate is set before it starts, and read on the main queue.
private final class OverridingRequest: SKProductsRequest, @unchecked Sendable {
    weak var own: RecordingDelegate?

    override weak var delegate: (any SKProductsRequestDelegate)? {
        get { own }
        set { own = newValue as? RecordingDelegate }
    }
}

/// Writes down when it goes away.
// Safe: the transcript is Sendable.
private final class TellingRequest: SKProductsRequest, @unchecked Sendable {
    private let transcript: Transcript

    init(_ transcript: Transcript) {
        self.transcript = transcript
        super.init(productIdentifiers: ["banana"])
    }

    deinit { transcript.write("gone") }
}

private final class PlainDelegate: NSObject, SKRequestDelegate {
    private let transcript: Transcript

    init(_ transcript: Transcript) { self.transcript = transcript }

    func requestDidFinish(_ request: SKRequest) { transcript.write("ended") }
}
