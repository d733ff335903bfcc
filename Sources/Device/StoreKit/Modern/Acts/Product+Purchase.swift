import Foundation
import StoreModel

extension Product {
    /// The products of the app with these ids, as the storefront of the customer sells them, in no order. What the store does not
    /// know is left out. A cancelled task gets none.
    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
        try await products(for: identifiers, of: CurrentSession.session)
    }

    static func products(
        for identifiers: some Collection<String>, of session: any OriginalSession
    ) async throws -> [Product] {
        try session.failIfSimulated(.loadProducts)
        guard !identifiers.isEmpty, let session = session as? DeviceSession else { return [] }
        do {
            let found = try await session.listings(of: Set(identifiers))
            return Task.isCancelled ? [] : found.map { Product($0, in: session.storefront?.countryCode) }
        } catch {
            if Task.isCancelled { return [] }
            throw StoreKitError(error)
        }
    }

    /// Buys the product.
    ///
    /// The purchase is written down before anything is sent. It returns when it is decided, or says that it is pending where that
    /// may take long: the transaction comes by ``Transaction/updates`` then. What it returns does not. The process may end at any
    /// moment: what was bought is among ``Transaction/unfinished`` at the next launch.
    ///
    /// A transaction whose signature is not good is a success that is unverified: it was paid, and stays unfinished. It is told as
    /// verified in ``Transaction/updates`` once the store has sent it with a good one.
    ///
    /// - Parameter options: what is settled for this purchase.
    public func purchase(options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
        let session = CurrentSession.session
        do {
            try session.failIfSimulated(.purchase)
        } catch StoreKitError.userCancelled {
            return .userCancelled
        }
        guard session.canMakePayments else { throw PurchaseError.purchaseNotAllowed }
        let order = try PurchaseOrder(self, options)
        guard let session = session as? DeviceSession else { throw StoreKitError.unsupported }
        if type == .nonConsumable, let owned = await session.owned(id) { return .success(session.transaction(owned)) }
        switch await session.purchase(order.payment, mayContinueIn: order.question) {
        case .bought(let bought):
            guard let verified = bought.verified else { throw StoreKitError.unknown }
            return .success(session.transaction(verified.signed))
        case .unverified(let signed): return .success(session.transaction(signed))
        case .pending: return .pending
        case .failed(.interrupted): return .pending
        case .failed(let failure):
            if failure.code == SKError.Code.paymentCancelled.rawValue { return .userCancelled }
            throw failure.modernError
        }
    }

    /// The newest transaction of the product, whatever became of it.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// What the customer has of the product now.
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await Transaction.currentEntitlement(for: id) }
    }

    /// What the customer has of the product now: several, where the family shares it too.
    public var currentEntitlements: Transaction.Transactions { Transaction.currentEntitlements(for: id) }
}

/// What a purchase asks of the engine, by its options.
struct PurchaseOrder {
    private(set) var payment: Payment
    /// What decides whether it goes on in another storefront.
    private(set) var question: (@Sendable (StorefrontAnswer) -> Bool)?

    /// Throws ``Product/PurchaseError`` for options that contradict themselves.
    init(_ product: Product, _ options: Set<Product.PurchaseOption>) throws {
        payment = Payment(product.id)
        for option in options { take(option.kind) }
        guard SessionLimits.quantities.contains(payment.quantity) else { throw Product.PurchaseError.invalidQuantity }
        let isCounted = product.type == .consumable || product.type == .nonRenewable
        guard isCounted || payment.quantity == 1 else { throw Product.PurchaseError.invalidQuantity }
        if let discount = payment.discount {
            guard !discount.identifier.isEmpty, !discount.keyIdentifier.isEmpty, !discount.signature.isEmpty else {
                throw Product.PurchaseError.missingOfferParameters
            }
        }
    }

    private mutating func take(_ kind: Product.PurchaseOption.Kind) {
        switch kind {
        case .appAccountToken(let token): payment.username = token.uuidString.lowercased()
        case .quantity(let quantity): payment.quantity = quantity
        case .simulatesAskToBuyInSandbox(let asks): payment.simulatesAskToBuyInSandbox = asks
        case .promotionalOffer(let id, let signature):
            payment.discount = Payment.Discount(
                identifier: id, keyIdentifier: signature.keyID, nonce: signature.nonce,
                signature: signature.signature.base64EncodedString(), timestamp: Int64(signature.timestamp))
        case .promotionalOfferJWS(_, let jws): payment.signedOffer = jws
        case .introductoryOfferEligibility(let jws): payment.introductoryEligibility = jws
        case .winBackOffer(let offer): payment.winBackOffer = offer.id
        case .onStorefrontChange(let asked): question = { asked.shouldContinue(Storefront($0)) }
        // The store has no use for an app's own values, sells without commitments, and hears of options for tests otherwise.
        case .custom, .billingPlanType, .testPromotionalOffer, .testCodeOffer, .testPurchaseDate: break
        }
    }
}

extension SessionFailure {
    /// What the modern API throws.
    var modernError: any Error {
        switch SKError.Code(rawValue: code) {
        case .paymentNotAllowed?: Product.PurchaseError.purchaseNotAllowed
        case .storeProductNotAvailable?: Product.PurchaseError.productUnavailable
        case .invalidOfferIdentifier?: Product.PurchaseError.invalidOfferIdentifier
        case .invalidSignature?: Product.PurchaseError.invalidOfferSignature
        case .missingOfferParams?: Product.PurchaseError.missingOfferParameters
        case .invalidOfferPrice?: Product.PurchaseError.invalidOfferPrice
        case .ineligibleForOffer?: Product.PurchaseError.ineligibleForOffer
        case .paymentCancelled?: StoreKitError.userCancelled
        case .paymentInvalid? where reason == "quantity_out_of_range": Product.PurchaseError.invalidQuantity
        case .paymentInvalid? where reason == RefusalCode.productUnknown.rawValue:
            Product.PurchaseError.productUnavailable
        case .unknown? where text.hasPrefix(Self.unreachable):
            StoreKitError.networkError(URLError(.cannotConnectToHost))
        default: StoreKitError.systemError(SKError(self))
        }
    }
}

extension StoreKitError {
    /// What an app is told of a request that failed.
    init(_ error: ConnectionError) {
        switch error.kind {
        case .unreachable, .unavailable: self = .networkError(URLError(.cannotConnectToHost))
        case .cancelled: self = .userCancelled
        case .refused, .malformed:
            self = error.storeKitCode == 2 ? .userCancelled : .systemError(SKError(SessionFailure(error)))
        }
    }
}
