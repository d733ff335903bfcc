import Foundation
import SampleTerminal
import StoreFoundation
import StoreKit

/// What the person and the app say to each other.
@MainActor
final class Conversation {
    private let shop: any Shop
    private let texts: Texts
    private let screen = Screen()
    private var reader: LineReader?
    private var receiptRequest: ReceiptRequest?
    private var isAwaitingLine = false
    /// Whether the products are shown before the next line: not while StoreKit asks something.
    private var isListDue = true
    private var restored = 0
    private var hasFailed = false

    init(_ shop: any Shop, in texts: Texts) {
        self.shop = shop
        self.texts = texts
    }

    func begin() {
        reader = LineReader { [weak self] line in self?.take(line) }
        shop.open { [weak self] news in self?.hear(news) }
        screen.show(texts("sample.title", ["possessions": .text(possessions)]))
        if shop.wallet.wasDamaged { screen.show(texts("sample.damaged")) }
        if !shop.canMakePayments { screen.show(texts("sample.disabled")) }
        shop.askForPrices()
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
    private func hear(_ news: News) {
        switch news {
        // The list itself is shown before the next line.
        case .pricesFetched, .begun: break
        case .pricesFailed(let error): showOutage(error)
        case .purchasing(let sale): screen.show(text("sample.purchasing", sale))
        case .deferred(let sale): screen.show(text("sample.deferred", sale))
        case .delivered(let sale, let delivery): showDelivery(sale, delivery)
        case .cancelled(let sale): fail(text("sample.cancelled", sale))
        case .failed(let sale, let error): fail(text("sample.failed", sale, reason: Self.sentence(error)))
        case .takenBack(let goods): showLoss(of: goods, "sample.taken_back")
        case .ended(let goods): showLoss(of: goods, "sample.ended")
        case .restored:
            screen.show(
                restored == 0
                    ? texts("sample.restore_empty") : texts("sample.restore_ended", ["count": .number(restored)]))
        case .restoreCancelled: fail(texts("sample.restore_cancelled"))
        case .restoreFailed(let error):
            fail(texts("sample.restore_failed", ["reason": .text(Self.sentence(error))]))
        }
        goOn()
    }

    /// What happened; of an error of StoreKit 2 that stands for another one, what that says.
    private static func sentence(_ error: any Error) -> String {
        if case StoreKitError.systemError(let cause) = error { return cause.localizedDescription }
        return error.localizedDescription
    }

    private var possessions: String {
        let counted = texts("sample.credits", ["count": .number(shop.wallet.credits)])
        let credits = shop.wallet.isStale ? texts("sample.stale", ["possessions": .text(counted)]) : counted
        let others = shop.wallet.possessions.map { kept in
            Goods.allCases.first { $0.possession == kept }.map { texts($0.ownName) } ?? kept
        }
        return others.reduce(credits) { texts("sample.both", ["first": .text($0), "second": .text($1)]) }
    }

    /// A text about a purchase, with its name and what the person has by now.
    private func text(_ name: String, _ sale: Sale, reason: String = "") -> String {
        "  "
            + texts(
                name,
                [
                    "name": .text(self.name(sale)), "possessions": .text(possessions), "reason": .text(reason),
                ])
    }

    private func name(_ sale: Sale) -> String {
        let goods = Goods(rawValue: sale.product)
        let title = goods.map { shop.products[$0]?.title ?? texts($0.ownName) } ?? sale.product
        return sale.quantity == 1 ? title : "\(sale.quantity) x \(title)"
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
                number, product.title, product.description,
                texts("sample.buy", ["price": .text(product.price)])
                    + (isOwned ? "  " + texts("sample.yours") : ""),
            ]
        }
        for row in Screen.table(rows) { screen.show(row) }
        screen.show()
        screen.show(texts(shop.products.isEmpty ? "sample.empty" : "sample.invitation"))
        if shop.products.isEmpty { hasFailed = true }
    }

    private func showOutage(_ error: any Error) {
        isListDue = false
        fail(texts("sample.outage"))
        screen.show("  \(Self.sentence(error))")
    }

    private func buy(_ goods: Goods, _ quantity: Int) {
        guard shop.canMakePayments else { return fail(texts("sample.disabled")) }
        guard shop.products[goods] != nil else { return fail(texts("sample.no_price")) }
        shop.buy(goods, quantity: quantity)
    }

    private func showDelivery(_ sale: Sale, _ delivery: Delivery) {
        switch delivery {
        case .added: screen.show(text("sample.purchased", sale))
        case .repeated: screen.show(text("sample.repeated", sale))
        case .restored:
            restored += 1
            screen.show(text("sample.restored", sale))
        case .unknown: fail(text("sample.unknown", sale))
        case .unsaved(let error): fail(text("sample.unsaved", sale, reason: error.localizedDescription))
        }
    }

    private func showLoss(of goods: Goods, _ text: String) {
        let name = shop.products[goods]?.title ?? texts(goods.ownName)
        screen.show(
            texts(text, ["name": .text(name), "possessions": .text(possessions)]))
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
}
