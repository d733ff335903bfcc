import Foundation
import StoreKit

/// What the person and the app say to each other.
@MainActor
final class Conversation {
    private let shop: Shop
    private let screen = Screen()
    private var reader: LineReader?
    private var receiptRequest: ReceiptRequest?
    private var tokens: [any NSObjectProtocol] = []
    private var isAwaitingLine = false
    /// Whether the products are shown before the next line: not while StoreKit asks something.
    private var isListDue = true
    private var restored = 0
    private var hasFailed = false

    init(_ shop: Shop) { self.shop = shop }

    func begin() {
        reader = LineReader { [weak self] line in self?.take(line) }
        // The list itself is shown before the next line.
        observe(.productsFetched) { _, _ in }
        observe(.requestFailed) { conversation, error in conversation.showOutage(error as? SKError) }
        observe(.transactionContinues) { conversation, transaction in
            conversation.showProgress(transaction as? SKPaymentTransaction)
        }
        observe(.transactionSucceeded) { conversation, transaction in
            conversation.showDelivery(transaction as? SKPaymentTransaction)
        }
        observe(.transactionFailed) { conversation, transaction in
            conversation.showFailure(transaction as? SKPaymentTransaction)
        }
        observe(.restoreEnded) { conversation, error in conversation.showRestored(error as? SKError) }
        screen.show("MonkeyCredits: \(possessions)")
        if !SKPaymentQueue.canMakePayments() { screen.show(Self.disabled) }
        shop.askForPrices()
    }

    private func observe(
        _ name: Notification.Name, _ body: @escaping @MainActor @Sendable (Conversation, (any Sendable)?) -> Void
    ) {
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
            [weak self] notification in
            let transaction = notification.object as? SKPaymentTransaction
            let object: (any Sendable)? = transaction ?? notification.object as? SKError
            // StoreKit calls on the main queue, where notifications are passed on at once.
            MainActor.assumeIsolated {
                guard let self else { return }
                body(self, object)
                self.goOn()
            }
        }
        tokens.append(token)
    }

    /// Awaits the next line, unless something is under way: then lines are for StoreKit, which may have a question open.
    private func goOn() {
        guard !shop.isBusy, receiptRequest == nil else { return withdraw() }
        guard !isAwaitingLine else { return }
        if isListDue { showGoods() }
        isAwaitingLine = true
        screen.prompt()
        reader?.askForLine()
    }

    private func withdraw() {
        guard isAwaitingLine, reader?.withdraw() == true else { return }
        isAwaitingLine = false
        screen.withdraw()
    }

    private func take(_ text: String?) {
        isAwaitingLine = false
        screen.answered()
        perform(text.map { Line($0) } ?? .quit)
        goOn()
    }

    private func perform(_ line: Line) {
        switch line {
        case .nothing: break
        case .list:
            isListDue = true
            shop.askForPrices()
        case .credits: screen.show("You have \(possessions).")
        case .buy(let goods, let quantity): buy(goods, quantity)
        case .restore:
            restored = 0
            shop.restore()
        case .receipt: showReceipt()
        case .help: for line in Self.help { screen.show(line) }
        case .quit: exit(hasFailed ? 1 : 0)
        case .unknown(let advice): fail(advice)
        }
    }

    private static let disabled = "AppStore disabled: till device restrict off allows it."

    private static let help = Screen.table([
        ["  buy 1", "buy product 1; a bare 1 does too"],
        ["  buy 1 3", "buy three of it"],
        ["  list", "show what there is, with fresh prices"],
        ["  credits", "show what you have"],
        ["  restore", "get back what you bought on another device"],
        ["  receipt", "show where the receipt is"],
        ["  quit", "leave; nothing is lost, with Ctrl-C neither"],
    ])

    private func fail(_ text: String) {
        hasFailed = true
        screen.show(text)
    }
}

// What happened, for the person.
extension Conversation {
    private var possessions: String {
        let credits = shop.wallet.credits
        let counted = credits == 1 ? "1 monkey credit" : "\(credits) monkey credits"
        return ([counted] + shop.wallet.possessions).joined(separator: ", ")
    }

    private func name(_ transaction: SKPaymentTransaction) -> String {
        let payment = transaction.original?.payment ?? transaction.payment
        let goods = Goods(rawValue: payment.productIdentifier)
        let title = goods.flatMap { shop.products[$0]?.localizedTitle } ?? goods?.ownName ?? payment.productIdentifier
        return payment.quantity == 1 ? title : "\(payment.quantity) x \(title)"
    }

    private func showGoods() {
        isListDue = false
        screen.show()
        let rows = Goods.allCases.enumerated().map { index, goods in
            let number = "  \(index + 1)"
            guard let product = shop.products[goods] else { return [number, goods.rawValue, "not for sale"] }
            let isOwned = goods.possession.map(shop.wallet.possessions.contains) ?? false
            return [
                number, product.localizedTitle, product.localizedDescription,
                "Buy \(Self.price(product))" + (isOwned ? "  (yours)" : ""),
            ]
        }
        for row in Screen.table(rows) { screen.show(row) }
        screen.show()
        screen.show(
            shop.products.isEmpty
                ? "The store sells nothing to this app; has it its profile? make sample APP=MonkeyCredits"
                : "Type a number to buy, or help.")
        if shop.products.isEmpty { hasFailed = true }
    }

    private static func price(_ product: SKProduct) -> String {
        let format = NumberFormatter()
        format.numberStyle = .currency
        format.locale = product.priceLocale
        return format.string(from: product.price) ?? "\(product.price)"
    }

    private func showOutage(_ error: SKError?) {
        isListDue = false
        fail("Network down? The store does not answer. If it is your own, start it with make run; then: list")
        screen.show("  \(Self.reason(of: error))")
    }

    private func buy(_ goods: Goods, _ quantity: Int) {
        guard SKPaymentQueue.canMakePayments() else { return fail(Self.disabled) }
        guard let product = shop.products[goods] else {
            return fail("There is no price for it yet, so that it cannot be bought. Try: list")
        }
        shop.buy(product, quantity: quantity)
    }

    private func showProgress(_ transaction: SKPaymentTransaction?) {
        guard let transaction else { return }
        screen.show(
            transaction.transactionState == .deferred
                ? "  \(name(transaction)): waits for somebody else; it comes by itself"
                : "  \(name(transaction)): purchasing …")
    }

    private func showDelivery(_ transaction: SKPaymentTransaction?) {
        guard let transaction else { return }
        let name = name(transaction)
        switch shop.delivery {
        case .added: screen.show("  \(name): purchased. You have \(possessions).")
        case .repeated: screen.show("  \(name): came again, and was delivered before. You have \(possessions).")
        case .restored:
            restored += 1
            screen.show("  \(name): restored. You have \(possessions).")
        case .unknown, .unsaved: fail("  \(name): is not known to this version of the app.")
        }
    }

    private func showFailure(_ transaction: SKPaymentTransaction?) {
        guard let transaction else { return }
        if transaction.transactionState != .failed, case .unsaved(let error) = shop.delivery {
            return fail(
                "  \(name(transaction)): paid, but it cannot be saved: \(error.localizedDescription). "
                    + "It comes again at the next start.")
        }
        let error = transaction.error as? SKError
        if error?.code == .paymentCancelled { return fail("  \(name(transaction)): cancelled. Nothing was charged.") }
        fail("  \(name(transaction)): failed. \(Self.reason(of: error))")
    }

    private func showRestored(_ error: SKError?) {
        if let error {
            return fail(
                error.code == .paymentCancelled
                    ? "The restore was cancelled." : "Nothing was restored. \(Self.reason(of: error))")
        }
        screen.show(restored == 0 ? "There is nothing to restore." : "Restored: \(restored).")
    }

    private func showReceipt() {
        if showReceiptFile() { return }
        receiptRequest = ReceiptRequest { [weak self] error in
            guard let self else { return }
            receiptRequest = nil
            if !showReceiptFile() { fail("There is no receipt. \(Self.reason(of: error))") }
            goOn()
        }
    }

    private func showReceiptFile() -> Bool {
        guard let url = Bundle.main.appStoreReceiptURL, let receipt = try? Data(contentsOf: url) else { return false }
        screen.show("The receipt has \(receipt.count) bytes: \(url.path)")
        return true
    }

    private static func reason(of error: (any Error)?) -> String {
        guard let error = error as? SKError else { return error?.localizedDescription ?? "" }
        return error.failureReason ?? error.localizedDescription
    }
}
