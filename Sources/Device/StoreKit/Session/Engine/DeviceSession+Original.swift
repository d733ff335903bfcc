import Foundation
import StoreHTTP
package import StoreModel

extension DeviceSession: OriginalSession {
    package var payments: [PaymentRecord] { entries.map { PaymentRecord($0) } }

    package var receiptURL: URL? { receipt.url }

    package func products(for identifiers: Set<String>) async throws(SKError) -> ProductAnswer {
        do throws(SessionFailure) {
            let answer = try await TaskThreads.run(on: settings.executor) { () async throws(SessionFailure) in
                try await self.products(for: identifiers.sorted())
            }
            return ProductAnswer(
                products: answer.products.map { ProductRecord($0, in: device.answer?.storefront.countryCode) },
                invalidIdentifiers: answer.invalid.map(\.productId))
        } catch {
            throw SKError(error)
        }
    }

    package func add(_ order: PaymentOrder) {
        add(
            product: order.productIdentifier, quantity: order.quantity, username: order.applicationUsername,
            refusal: order.refusal)
    }

    package func finish(_ key: PaymentKey) { finish(key.rawValue) }

    package func restore(applicationUsername: String?) { restore(username: applicationUsername) }

    package func attach(_ sink: @escaping @Sendable (PaymentEvent) -> Void) {
        attach(telling: { sink(PaymentEvent($0)) })
    }

    package func refreshReceipt(_ properties: ReceiptProperties) async throws(SKError) {
        do throws(SessionFailure) {
            try await TaskThreads.run(on: settings.executor) { () async throws(SessionFailure) in
                try await self.refreshReceipt(like: properties)
            }
        } catch {
            throw SKError(error)
        }
    }

    package func presentCodeRedemption() {
        settings.report("Codes cannot be redeemed yet.")
    }

    package func showPriceConsentIfNeeded() {}
}

extension PaymentOrder {
    /// What the store cannot take with a payment.
    fileprivate var refusal: SessionFailure? {
        if requestData != nil {
            return SessionFailure(
                code: SKError.Code.unauthorizedRequestData.rawValue, reason: "request_data",
                text: "The request data of a payment is reserved, and must be nil.")
        }
        guard discount != nil else { return nil }
        return SessionFailure(
            code: SKError.Code.invalidOfferIdentifier.rawValue, reason: "no_offers",
            text: "The store has no offers.")
    }
}

extension SKError {
    /// A failure as apps get it.
    init(_ failure: SessionFailure) {
        var userInfo: [String: Any] = [
            SKError.reasonKey: failure.reason, NSLocalizedFailureReasonErrorKey: failure.text,
        ]
        if let request = failure.request { userInfo[SKError.requestIdentifierKey] = request }
        // The domain has codes that no case stands for.
        userInfo[NSLocalizedDescriptionKey] = SKErrorText.sentence(of: failure.code)
        self.init(_nsError: NSError(domain: SKErrorDomain, code: failure.code, userInfo: userInfo))
    }
}

extension PaymentEvent {
    fileprivate init(_ news: SessionNews) {
        switch news {
        case .attached(let entries): self = .attached(entries.map { PaymentRecord($0) })
        case .updated(let entries): self = .updated(entries.map { PaymentRecord($0) })
        case .removed(let keys): self = .removed(keys.map(PaymentKey.init))
        case .restoreFinished: self = .restoreFinished
        case .restoreFailed(let failure): self = .restoreFailed(SKError(failure))
        case .revoked(let products): self = .entitlementsRevoked(products)
        case .storefrontChanged: self = .storefrontChanged
        case .promoted(let product, let settled):
            self = .promoted(PaymentOrder(productIdentifier: product.identifier), product, settled: settled)
        case .shouldContinue(let key, let storefront, let answer):
            self = .shouldContinue(PaymentKey(key), StorefrontValue(storefront), answer: answer)
        }
    }
}

extension StorefrontValue {
    init(_ answer: StorefrontAnswer) {
        self.init(countryCode: answer.countryCode.rawValue, identifier: answer.id.description)
    }
}
