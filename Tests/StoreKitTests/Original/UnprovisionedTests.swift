import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// An app without a provisioning profile: everything is answered, and nothing is sold.
@Suite("Without a profile", .bounded)
struct UnprovisionedTests {
    let log = Transcript()
    let transcript = Transcript()
    let context: SessionContext

    init() {
        let log = log
        context = SessionContext(UnprovisionedSession { log.write($0) })
    }

    @Test("X1: every identifier is invalid, and one line says why")
    func products() async throws {
        let delegate = RecordingDelegate(transcript)
        for _ in 1...2 {
            let request = SKProductsRequest(productIdentifiers: ["banana", "coconut"])
            request.delegate = delegate
            CurrentSession.$own.withValue(context) { request.start() }
            try await transcript.until("finished SKProductsRequest")
            try await mainQueueDrained()
        }
        #expect(delegate.response?.invalidProductIdentifiers == ["banana", "coconut"])
        #expect(delegate.response?.products.isEmpty == true)
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.contains("STOREKIT_PROFILE") == true)
    }

    @Test("X1: payments are allowed, and fail with what to do about it")
    func payment() async throws {
        let observer = RecordingObserver(transcript)
        context.queue.add(observer)
        context.queue.add(SKPayment(Payment("banana")))
        try await mainQueueDrained()
        #expect(transcript.lines == ["banana purchasing", "banana failed"])
        let error = try #require(observer.objects.last?.error as? SKError)
        #expect(error.code == .paymentInvalid)
        #expect(error.userInfo[SKError.reasonKey] as? String == "no_provisioning_profile")
        #expect((error.userInfo[SKError.developerTextKey] as? String)?.contains("STOREKIT_PROFILE") == true)
        context.queue.finishTransaction(try #require(observer.objects.last))
        try await mainQueueDrained()
        #expect(transcript.lines.last == "removed banana")
        CurrentSession.$own.withValue(context) {
            #expect(SKPaymentQueue.canMakePayments())
            #expect(Bundle.main.storeReceiptURL == nil)
        }
        #expect(context.queue.storefront == nil)
    }

    @Test("R3.2: a restore fails, once")
    func restore() async throws {
        let observer = RecordingObserver(transcript)
        context.queue.add(observer)
        context.queue.restoreCompletedTransactions()
        try await mainQueueDrained()
        #expect(transcript.lines == ["restore failed 0"])
    }

    @Test("X1: a receipt cannot be refreshed")
    func refresh() async throws {
        let delegate = RecordingDelegate(transcript)
        let request = SKReceiptRefreshRequest()
        request.delegate = delegate
        CurrentSession.$own.withValue(context) { request.start() }
        try await transcript.until("failed 0")
    }

    @Test("X1: a queue that an app makes itself has no store behind it, and none of the other queues' payments")
    func ownQueue() async throws {
        let queue = SKPaymentQueue()
        let observer = RecordingObserver(transcript)
        queue.add(observer)
        queue.add(SKPayment(Payment("banana")))
        try await mainQueueDrained()
        #expect(transcript.lines == ["banana purchasing", "banana failed"])
        #expect(SKPaymentQueue().transactions.isEmpty)
    }
}
