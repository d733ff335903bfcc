import StoreKit
import Testing

/// What the compiler alone cannot tell of the surface.
@Suite("Surface of the original API")
struct SurfaceTests {
    @Test("X1: every code has Apple's number", arguments: ErrorSurface.codes.indices)
    func codes(index: Int) {
        let (code, name, number) = ErrorSurface.codes[index]
        #expect(code == name && code.rawValue == number)
        #expect(SKError(code).errorCode == number)
    }

    @Test("X1: enumerations have Apple's numbers")
    func numbers() {
        let states: [SKPaymentTransactionState] = [.purchasing, .purchased, .failed, .restored, .deferred]
        #expect(states.map(\.rawValue) == Array(0...4))
        #expect([SKProduct.PeriodUnit.day, .week, .month, .year].map(\.rawValue) == [0, 1, 2, 3])
        #expect([SKProductDiscount.PaymentMode.payAsYouGo, .payUpFront, .freeTrial].map(\.rawValue) == [0, 1, 2])
        let kinds: [SKProductDiscount.`Type`] = [.introductory, .subscription]
        #expect(kinds.map(\.rawValue) == [0, 1])
        let downloads: [SKDownloadState] = [.waiting, .active, .paused, .finished, .failed, .cancelled]
        #expect(downloads.map(PaymentSurface.word) == Array(0...5))
        #expect([.default, .show, .hide].map(ControllerSurface.word) == Array(0...2))
        #expect(Set(ControllerSurface.parameters).count == 15)
    }

    @Test("X1: a test's subclass answers for itself, also to StoreKit")
    func subclasses() {
        let product: SKProduct = MockProduct(name: "mock")
        #expect(SKPayment(product: product).productIdentifier == "mock")
        #expect(SKMutablePayment(product: product).productIdentifier == "mock")
        #expect(product.subscriptionPeriod?.numberOfUnits == 3 && product.discounts.first?.type == .subscription)
        let payment: SKPayment = MockPayment()
        let copy = payment.mutableCopy() as? SKMutablePayment
        #expect(copy?.productIdentifier == "mock" && copy?.quantity == 3 && copy?.applicationUsername == "someone")
        #expect((payment.copy() as? SKPayment)?.simulatesAskToBuyInSandbox == true)
        #expect(MockPayment(product: product).quantity == 3)
        let queue: SKPaymentQueue = MockQueue(name: "queue")
        queue.add(payment)
        queue.finishTransaction(queue.transactions[0])
        #expect((queue as? MockQueue)?.calls == ["add payment", "finish"])
        let request: SKRequest = MockRequest(productIdentifiers: ["a"])
        request.start()
        #expect((request as? MockRequest)?.calls.first == "start")
    }

    @Test("X1: payments are made by product or by identifier alone")
    func payments() {
        #expect((SKPayment.payment(withProductIdentifier: "a") as? SKPayment)?.productIdentifier == "a")
        #expect((SKMutablePayment.payment(withProductIdentifier: "a") as? SKMutablePayment)?.quantity == 1)
        let discount = SKPaymentDiscount(
            identifier: "offer", keyIdentifier: "key", nonce: UUID(), signature: "c2ln", timestamp: 1_700_000_000_000)
        let payment = SKMutablePayment()
        payment.paymentDiscount = discount
        payment.requestData = Data([1])
        #expect(payment.paymentDiscount?.identifier == "offer" && payment.paymentDiscount?.nonce == discount.nonce)
        #expect(payment.paymentDiscount?.timestamp == 1_700_000_000_000 && payment.requestData == Data([1]))
    }

    @Test("X1: what the store cannot do yet says so, on the main queue")
    func unavailable() async throws {
        let controller = SKStoreProductViewController()
        let isLoaded: Bool? = try? await controller.loadProduct(withParameters: [:])
        #expect(isLoaded == nil)
        let transcript = Transcript()
        await withCheckedContinuation { (asked: CheckedContinuation<Void, Never>) in
            controller.loadProduct(withParameters: [SKStoreProductParameterITunesItemIdentifier: 1]) {
                isLoaded, error in
                dispatchPrecondition(condition: .onQueue(.main))
                transcript.write("\(isLoaded) \((error as? SKError)?.code == .storeProductNotAvailable)")
                asked.resume()
            }
        }
        let promotions = SKProductStorePromotionController.default()
        promotions.fetchStorePromotionVisibility(for: SKProduct()) { transcript.write("\($0.rawValue) \($1 != nil)") }
        promotions.fetchStorePromotionOrder { transcript.write("\($0.count) \($1 != nil)") }
        promotions.update(storePromotionOrder: []) { transcript.write("\($0 != nil)") }
        promotions.update(storePromotionVisibility: .show, for: SKProduct()) { transcript.write("\($0 != nil)") }
        try await mainQueueDrained()
        #expect(transcript.lines == ["false true", "0 true", "0 true", "true", "true"])
        await #expect(throws: SKError.self) { try await promotions.promotionVisibility(for: SKProduct()) }
        await #expect(throws: SKError.self) { _ = try await promotions.promotionOrder() }
        await #expect(throws: SKError.self) { try await promotions.update(promotionOrder: []) }
        await #expect(throws: SKError.self) {
            try await promotions.update(promotionVisibility: .hide, for: SKProduct())
        }
        SKStoreReviewController.requestReview()
    }
}
