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
            storefront: StorefrontAnswer(try Self.storefront(scope.storefront)), language: scope.language,
            isSignedIn: scope.customer != nil, purchasesAllowed: scope.purchasesAllowed,
            isSimulator: scope.isSimulator)
    }

    static func storefront(_ code: StorefrontCode) throws -> StorefrontRecord {
        guard let record = code.storefront else {
            throw ServiceError(
                .storefrontUnknown, "there is no storefront of this code; codes have three letters, as in USA",
                parameter: "countryCode")
        }
        return record
    }

    func answer(_ price: Money, _ language: String, _ storefront: StorefrontRecord) -> PriceAnswer {
        PriceAnswer(
            amount: price.decimalText, currency: CurrencyCode(price.currency),
            display: prices.text(of: price, language: language, storefront: storefront))
    }

    func answer(
        _ purchase: StoredPurchase, _ transaction: StoreTransaction?, _ scope: DeviceScope, token: String? = nil
    ) throws -> PurchaseAnswer {
        let storefront = try Self.storefront(purchase.storefront)
        var answer = PurchaseAnswer(
            purchaseId: purchase.id, key: purchase.key, productId: purchase.product, quantity: purchase.quantity,
            unitPrice: self.answer(purchase.unitPrice, scope.language, storefront),
            total: self.answer(purchase.total, scope.language, storefront), state: Self.word(purchase.state))
        if purchase.state.waitsForYes, let code = purchase.code {
            answer.confirmation = ConfirmationAnswer(code: code, token: token, expires: purchase.expiresAt)
        }
        if purchase.state == .action { answer.actionUrl = purchase.rules.actionURL }
        if purchase.state.isFinal { answer.failure = purchase.rules.failure.map(PurchaseFailureAnswer.init) }
        if purchase.state == .purchased { answer.signedTransaction = try transaction.map { try sign($0, scope) } }
        return answer
    }

    /// The transaction as it stands, signed at this moment of the environment.
    func sign(_ transaction: StoreTransaction, _ scope: DeviceScope) throws -> String {
        let now = store.clocks.commerce()
        return try store.signers.jws.sign(
            encoding: transaction.payload(
                in: store.environment, appTransaction: scope.appTransaction, signedAt: now), at: now)
    }

    /// What a device is told of a state. Whom the store asks meanwhile is not its business.
    private static func word(_ state: Purchase.State) -> String {
        state.awaitsProcessor ? "processing" : state.rawValue
    }
}

extension StorefrontAnswer {
    init(_ storefront: StorefrontRecord) {
        self.init(
            countryCode: StorefrontCode(storefront), id: storefront.id,
            currency: CurrencyCode(storefront.currency))
    }
}

extension PurchaseFailureAnswer {
    init(_ failure: PurchaseFailure) {
        let detail = failure.rawValue.dropFirst(failure.code.count + 1)
        let (message, code): (String, Int) =
            switch failure.code {
            case "cancelled": ("The customer cancelled the purchase.", 2)
            case "expired": ("Nobody confirmed the purchase in time.", 2)
            case "not_allowed": ("In-app purchases are not allowed here.", 4)
            case "product_unavailable": ("The product is not sold in the storefront of the account.", 5)
            case "no_payment_method": ("The account has no payment method.", 0)
            case "being_paid": ("Another purchase of the same product is being paid at this moment.", 0)
            case "declined": ("The payment was declined.", 0)
            case "password_forgotten": ("Another password was asked for instead of signing in.", 5020)
            case "account_gone": ("The account was deleted.", 0)
            default: ("The store could not take the payment.", 0)
            }
        self.init(
            code: failure.code, detail: detail.isEmpty ? nil : String(detail), message: message, storeKitCode: code)
    }
}
