import Foundation
import SampleTerminal
import StoreFoundation
import StoreKit

/// What the person and the app say to each other.
@MainActor
final class Conversation {
    private let shop: Shop
    private let texts: Texts
    private let screen = Screen()
    private var reader: LineReader?
    private var receiptRequest: ReceiptRequest?
    private var tokens: [any NSObjectProtocol] = []
    private var isAwaitingLine = false
    /// Whether the products are shown before the next line: not while StoreKit asks something.
    private var isListDue = true
    private var restored = 0
    private var hasFailed = false

    init(_ shop: Shop, in texts: Texts) {
        self.shop = shop
        self.texts = texts
    }

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
        observe(.entitlementsRevoked) { conversation, _ in conversation.showTakenBack() }
        observe(.restoreEnded) { conversation, error in conversation.showRestored(error as? SKError) }
        screen.show(texts("sample.title", ["possessions": .text(possessions)]))
        if shop.wallet.wasDamaged { screen.show(texts("sample.damaged")) }
        if !SKPaymentQueue.canMakePayments() { screen.show(texts("sample.disabled")) }
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
        // A script ends with its last line, and is told whether all of it was done; who says quit at a terminal has seen it.
        guard let text else { exit(hasFailed ? 1 : 0) }
        perform(Line(text))
        goOn()
    }

    private func perform(_ line: Line) {
        switch line {
        case .nothing: break
        case .list:
            isListDue = true
            shop.askForPrices()
        case .credits: screen.show(texts("sample.have", ["possessions": .text(possessions)]))
        case .buy(let goods, let quantity): buy(goods, quantity)
        case .restore:
            restored = 0
            shop.restore()
        case .receipt: showReceipt()
        case .help: for line in help { screen.show(line) }
        case .quit: exit(screen.isTerminal || !hasFailed ? 0 : 1)
        case .unknown(let advice, let arguments): fail(texts(advice, arguments))
        }
    }

    private var help: [String] {
        let commands = [
            ("buy 1", "buy"), ("buy 1 3", "several"), ("list", "list"), ("credits", "credits"), ("restore", "restore"),
            ("receipt", "receipt"), ("quit", "quit"),
        ]
        return Screen.table(commands.map { ["  \($0)", texts("sample.help.\($1)")] })
    }

    private func fail(_ text: String) {
        hasFailed = true
        screen.show(text)
    }
}

// What happened, for the person.
extension Conversation {
    private var possessions: String {
        let counted = texts("sample.credits", ["count": .number(shop.wallet.credits)])
        let credits = shop.wallet.isStale ? texts("sample.stale", ["possessions": .text(counted)]) : counted
        let others = shop.wallet.possessions.map { kept in
            Goods.allCases.first { $0.possession == kept }.map { texts($0.ownName) } ?? kept
        }
        return others.reduce(credits) { texts("sample.both", ["first": .text($0), "second": .text($1)]) }
    }

    /// A text about a transaction, with its name and what the person has by now.
    private func text(_ name: String, _ transaction: SKPaymentTransaction, reason: String = "") -> String {
        "  "
            + texts(
                name,
                [
                    "name": .text(self.name(transaction)), "possessions": .text(possessions), "reason": .text(reason),
                ])
    }

    private func name(_ transaction: SKPaymentTransaction) -> String {
        let payment = transaction.original?.payment ?? transaction.payment
        let goods = Goods(rawValue: payment.productIdentifier)
        let title =
            goods.flatMap { shop.products[$0]?.localizedTitle } ?? goods.map { texts($0.ownName) }
            ?? payment.productIdentifier
        return payment.quantity == 1 ? title : "\(payment.quantity) x \(title)"
    }

    private func showGoods() {
        isListDue = false
        screen.show()
        let rows = Goods.allCases.enumerated().map { index, goods in
            let number = "  \(index + 1)"
            guard let product = shop.products[goods] else {
                return [number, goods.rawValue, texts("sample.not_for_sale")]
            }
            let isOwned = goods.possession.map(shop.wallet.possessions.contains) ?? false
            return [
                number, product.localizedTitle, product.localizedDescription,
                texts("sample.buy", ["price": .text(Self.price(product))])
                    + (isOwned ? "  " + texts("sample.yours") : ""),
            ]
        }
        for row in Screen.table(rows) { screen.show(row) }
        screen.show()
        screen.show(texts(shop.products.isEmpty ? "sample.empty" : "sample.invitation"))
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
        fail(texts("sample.outage"))
        if let error { screen.show("  \(error.localizedDescription)") }
    }

    private func buy(_ goods: Goods, _ quantity: Int) {
        guard SKPaymentQueue.canMakePayments() else { return fail(texts("sample.disabled")) }
        guard let product = shop.products[goods] else {
            return fail(texts("sample.no_price"))
        }
        shop.buy(product, quantity: quantity)
    }

    private func showProgress(_ transaction: SKPaymentTransaction?) {
        guard let transaction else { return }
        let isDeferred = transaction.transactionState == .deferred
        screen.show(text(isDeferred ? "sample.deferred" : "sample.purchasing", transaction))
    }

    private func showDelivery(_ transaction: SKPaymentTransaction?) {
        guard let transaction else { return }
        switch shop.delivery {
        case .added: screen.show(text("sample.purchased", transaction))
        case .repeated: screen.show(text("sample.repeated", transaction))
        case .restored:
            restored += 1
            screen.show(text("sample.restored", transaction))
        case .unknown, .unsaved: fail(text("sample.unknown", transaction))
        }
    }

    private func showTakenBack() {
        guard let goods = shop.takenBack else { return }
        let name = shop.products[goods]?.localizedTitle ?? texts(goods.ownName)
        screen.show(
            texts("sample.taken_back", ["name": .text(name), "possessions": .text(possessions)]))
    }

    private func showFailure(_ transaction: SKPaymentTransaction?) {
        guard let transaction else { return }
        if transaction.transactionState != .failed, case .unsaved(let error) = shop.delivery {
            return fail(text("sample.unsaved", transaction, reason: error.localizedDescription))
        }
        let error = transaction.error as? SKError
        if Self.isCancelled(error) { return fail(text("sample.cancelled", transaction)) }
        fail(text("sample.failed", transaction, reason: error?.localizedDescription ?? ""))
    }

    private func showRestored(_ error: SKError?) {
        if let error {
            return fail(
                Self.isCancelled(error)
                    ? texts("sample.restore_cancelled")
                    : texts("sample.restore_failed", ["reason": .text(error.localizedDescription)]))
        }
        screen.show(
            restored == 0
                ? texts("sample.restore_empty") : texts("sample.restore_ended", ["count": .number(restored)]))
    }

    private func showReceipt() {
        if showReceiptFile() { return }
        receiptRequest = ReceiptRequest { [weak self] error in
            guard let self else { return }
            receiptRequest = nil
            if !showReceiptFile() {
                fail(texts("sample.no_receipt", ["reason": .text(error?.localizedDescription ?? "")]))
            }
            goOn()
        }
    }

    private func showReceiptFile() -> Bool {
        guard let url = Bundle.main.appStoreReceiptURL, let receipt = try? Data(contentsOf: url) else { return false }
        screen.show(texts("sample.receipt", ["count": .number(receipt.count), "path": .text(url.path)]))
        return true
    }

    /// Whether the person said no; a prompt that could ask nobody has said why.
    private static func isCancelled(_ error: SKError?) -> Bool {
        let reason = error?.userInfo[SKError.reasonKey] as? String ?? ""
        return error?.code == .paymentCancelled && !reason.hasPrefix("prompt_")
    }
}
