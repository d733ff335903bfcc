import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning

extension DeviceRoutes {
    func answer(_ scope: DeviceScope, token: DeviceToken? = nil) throws -> DeviceAnswer {
        DeviceAnswer(
            deviceId: scope.device, bundleId: scope.bundle, environment: store.environment, token: token?.text,
            tokenExpires: token.map { _ in store.clocks.wall() + DeviceToken.lifetime },
            storefront: StorefrontAnswer(try scope.storefront.known()), language: scope.language,
            isSignedIn: scope.customer != nil, purchasesAllowed: scope.purchasesAllowed,
            isSimulator: scope.isSimulator)
    }

    func answer(_ price: Money, _ language: String, _ storefront: StorefrontRecord) -> PriceAnswer {
        PriceAnswer(
            amount: price.decimalText, currency: CurrencyCode(price.currency),
            display: prices.text(of: price, language: language, storefront: storefront))
    }

    /// How a purchase stands, for the device that opened it.
    func answer(_ answer: Checkout.Answer) throws -> PurchaseAnswer {
        let (purchase, scope) = (answer.purchase, answer.scope)
        let storefront = try purchase.item.storefront.known()
        var body = PurchaseAnswer(
            purchaseId: purchase.id, key: purchase.key, productId: purchase.item.product, quantity: purchase.quantity,
            unitPrice: self.answer(purchase.item.unitPrice, scope.language, storefront),
            total: self.answer(purchase.total, scope.language, storefront), state: PurchaseState(answer.status))
        if purchase.state.isOpen, let code = purchase.code {
            body.confirmation = ConfirmationAnswer(code: code, token: answer.token, expires: purchase.expiresAt)
        }
        if let charge = answer.status.charge, charge.state == .action { body.actionUrl = charge.rules.actionURL }
        if purchase.state.isFinal { body.failure = purchase.rules.failure.map(PurchaseFailureAnswer.init) }
        if purchase.state == .purchased {
            body.signedTransaction = try answer.status.bought.map { try sign($0, scope) }
        }
        return body
    }

    /// The transaction as it stands, signed at this moment of the customer's clock.
    func sign(_ transaction: StoreTransaction, _ scope: DeviceScope) throws -> String {
        let now = store.clocks.now(by: scope.clock).commerce
        return try store.signers.jws.sign(
            encoding: transaction.payload(
                in: store.environment, appTransaction: scope.appTransaction, signedAt: now), at: now)
    }
}

extension StorefrontAnswer {
    init(_ storefront: StorefrontRecord) {
        self.init(
            countryCode: StorefrontCode(storefront), id: storefront.id,
            currency: CurrencyCode(storefront.currency))
    }
}

extension PurchaseState {
    /// What a device is told of a sale; what the store asks the processor meanwhile is not its business.
    init(_ status: SaleStatus) {
        guard let purchase = status.purchase, purchase.state == .charging else {
            self.init(rawValue: status.state)
            return
        }
        self = status.charge?.state == .action ? .action : .processing
    }
}
