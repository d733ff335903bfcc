import StoreCatalogue
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
            isSimulator: scope.isSimulator, accountMayBuy: scope.accountMayBuy,
            patience: Int(store.policy.patience.components.seconds))
    }

    func answer(_ price: Money, _ language: String, _ storefront: StorefrontRecord) -> PriceAnswer {
        PriceAnswer(
            amount: price.decimalText, currency: CurrencyCode(price.currency),
            display: prices.text(of: price, language: language, storefront: storefront))
    }

    /// How a purchase stands, for the device that opened it.
    func answer(_ answer: Checkout.Answer) async throws -> PurchaseAnswer {
        let (purchase, scope) = (answer.purchase, answer.scope)
        let storefront = try purchase.item.storefront.known()
        // While it is asked about, people see its title and its prices.
        let text =
            try purchase.state.isOpen
            ? await ProductLookup(store).text(
                of: purchase.item.id, of: scope.app, readIn: scope.language, in: storefront) : nil
        let language = text?.language ?? scope.language
        var body = PurchaseAnswer(
            purchaseId: purchase.id, key: purchase.key, productId: purchase.item.product, quantity: purchase.quantity,
            unitPrice: self.answer(purchase.item.unitPrice, language, storefront),
            total: self.answer(purchase.total, language, storefront), state: PurchaseState(answer.status))
        body.title = text?.title
        if purchase.state.isOpen, let code = purchase.code {
            let page = hasPages ? try await "/pay/\(PaymentSheet(store).token(of: purchase.id))" : nil
            body.confirmation = ConfirmationAnswer(
                code: code, token: answer.token, page: page, expires: purchase.expiresAt)
        }
        if let charge = answer.status.charge, charge.state == .action { body.actionUrl = charge.rules.actionURL }
        if answer.isOwned { body.isOwned = true }
        if purchase.state.isOpen {
            body.terms = RenewalText(language: scope.language) {
                prices.text(of: $0, language: language, storefront: storefront)
            }.text(
                of: purchase.item, isOwned: answer.isOwned, scale: answer.scale ?? store.subscriptions.scale,
                at: store.clocks.now(by: scope.clock).commerce)
        }
        if purchase.state.isFinal { body.failure = purchase.rules.failure.map(PurchaseFailureAnswer.init) }
        if answer.isElsewhere {
            body.isDeliveredElsewhere = true
        } else if purchase.state == .purchased {
            body.signedTransaction = try answer.status.bought.map { try sign($0, scope) }
        }
        return body
    }

    /// The transaction as it stands, signed at this moment of the customer's clock, and tied to the device.
    func sign(_ transaction: StoreTransaction, _ scope: DeviceScope) throws -> String {
        let now = store.clocks.now(by: scope.clock).commerce
        var payload = transaction.payload(
            in: store.environment, appTransaction: scope.appTransaction, signedAt: now)
        let verification = try verification(scope)
        payload.deviceVerification = verification?.text
        payload.deviceVerificationNonce = verification?.nonce
        return try store.signers.jws.sign(encoding: payload, at: now)
    }

    /// What ties a payload to the device; nil for one whose name is no UUID.
    func verification(_ scope: DeviceScope) throws -> DeviceVerification? {
        try DeviceVerification(for: scope.identifier, random: store.random)
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
            self = status.purchase?.state == .approval ? .deferred : PurchaseState(rawValue: status.state.rawValue)
            return
        }
        self = status.charge?.state == .action ? .action : .processing
    }
}

/// The form of errors of `/device/v1`: that of all interfaces, with the code of StoreKit beside it.
struct DeviceErrorForm: ErrorForm {
    private let form = JSONErrorForm { error in
        let declared = RefusalCode(rawValue: error.code)?.declaration
        return [.init("storeKitCode", .integer((declared?.storeKit ?? .internalError).rawValue))]
    }

    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        form.response(to: error, for: request)
    }
}

extension PurchaseFailureAnswer {
    init(_ failure: PurchaseFailure) {
        // A text that this version does not know was written by a newer one.
        let code = failure.code?.declaration ?? RefusalCode.processor.declaration
        self.init(
            code: WireWord(rawValue: failure.word), detail: failure.detail, message: code.advice,
            storeKitCode: code.storeKit.rawValue)
    }
}
