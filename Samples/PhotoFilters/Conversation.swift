import Foundation
import SampleTerminal
import StoreKit

/// What the person and the app say to each other.
@MainActor
final class Conversation {
    let screen = Screen()
    private var shop: Shop?
    private(set) var club: Club?
    private var reader: LineReader?
    private var isAwaitingLine = false
    private var isListDue = true
    private var hasFailed = false
    private var restored = 0

    func begin(_ possessions: Possessions) {
        reader = LineReader { [weak self] line in self?.take(line) }
        screen.show("PhotoFilters: one filter is free, two can be bought, and a club has them all.")
        screen.show("The key of what you bought came from \(possessions.keySource).")
        if possessions.isRestored { screen.show("What you bought comes from a backup, and is yours at once.") }
        if possessions.wasDamaged {
            screen.show(
                "A part of the record of what you bought could not be read, and was set aside. If something is missing: restore"
            )
        }
        let shop = Shop(possessions) { [weak self] news in self?.hear(news) }
        self.shop = shop
        let club = Club { [weak self] news in self?.hear(news) }
        self.club = club
        shop.askForPrices()
        club.load()
    }

    /// Awaits the next line, unless something is under way: then lines are for StoreKit, which may have a question open.
    func goOn() {
        guard let shop, let club else { return }
        guard !shop.isBusy, !club.isBusy else {
            guard isAwaitingLine, reader?.withdraw() == true else { return }
            isAwaitingLine = false
            return screen.withdraw()
        }
        guard !isAwaitingLine else { return }
        if isListDue { showFilters(shop) }
        isAwaitingLine = true
        screen.prompt()
        reader?.askForLine()
    }

    private func take(_ text: String?) {
        isAwaitingLine = false
        screen.answered()
        // A script ends with its last line, and is told whether all of it was done; who says quit at a terminal has seen it.
        guard let text else { exit(hasFailed ? 1 : 0) }
        if let shop { perform(Line(text), shop) }
        goOn()
    }

    private func perform(_ line: Line, _ shop: Shop) {
        switch line {
        case .nothing: break
        case .list:
            isListDue = true
            shop.askForPrices()
            club?.load()
        case .club: showMembership()
        case .join(let plan): join(plan)
        case .buy(let number): buy(Filter.products[number - 1], shop)
        case .apply(let filter, let picture, let result): apply(filter, picture, result, shop)
        case .restore:
            restored = 0
            shop.restore()
        case .protect(let passphrase):
            attempt {
                try shop.possessions.protect(with: passphrase)
                screen.show("PHOTOFILTERS_PASSPHRASE opens what you bought from now on where its key is missing.")
            }
        case .help: for line in Self.help { screen.show(line) }
        case .quit: exit(screen.isTerminal || !hasFailed ? 0 : 1)
        case .unknown(let advice): fail(advice)
        }
    }

    private func buy(_ id: String, _ shop: Shop) {
        guard SKPaymentQueue.canMakePayments() else { return failAsForbidden() }
        guard let product = shop.products[id] else { return fail("\(name(id)) is not for sale now.") }
        shop.buy(product)
    }

    private func apply(_ filter: Filter, _ picture: String, _ result: String, _ shop: Shop) {
        guard shop.possessions.allows(filter) || club?.membership != nil else {
            let number = Filter.products.firstIndex { $0 == filter.product }.map { $0 + 1 } ?? 1
            return fail("\(filter.title) is not yours yet: buy \(number)")
        }
        attempt {
            let image = try Picture(at: picture)
            image.apply(filter)
            try image.write(to: result)
            screen.show("  \(filter.title): \(result)")
        }
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { fail("  \(error.localizedDescription)") }
    }

    private static let help = Screen.table([
        ["  negative IN OUT", "make a negative of a picture, PNG or JPEG; free"],
        ["  sepia IN OUT", "make it brown"], ["  mono IN OUT", "make it black and white"],
        ["  buy 1", "buy a filter, or all"],
        ["  join monthly", "join the Filter Club; join yearly takes the place of it at once"],
        ["  club", "show how you are in the Filter Club"], ["  list", "show what there is, with fresh prices"],
        ["  restore", "get back what you bought on another device"],
        ["  protect WORDS", "let a passphrase bring back what you bought on a new machine"],
        ["  quit", "leave; nothing is lost"],
    ])

    func fail(_ text: String) {
        hasFailed = true
        screen.show(text)
    }

    func failAsForbidden() {
        fail(
            "AppStore disabled: for this device till device restrict off allows it, for this account till testers change "
                + "EMAIL --purchases allowed.")
    }
}

// What happened, for the person.
extension Conversation {
    private func name(_ id: String) -> String {
        shop?.products[id]?.localizedTitle ?? Filter.allCases.first { $0.product == id }?.title ?? "All filters"
    }

    private func hear(_ news: Shop.News) {
        switch news {
        case .productsFetched: break
        case .productsFailed(let error):
            isListDue = true
            fail("The store cannot be reached: \(error.localizedDescription) What is yours works all the same.")
        case .purchasing(let id): screen.show("  \(name(id)): purchasing …")
        case .deferred(let id): screen.show("  \(name(id)) waits for somebody else's word.")
        case .failed(let id, let error): fail("  \(name(id)) was not bought. \(error?.localizedDescription ?? "")")
        case .unlocked(let id, let isRestored):
            if isRestored { restored += 1 }
            screen.show("  \(name(id)) is yours\(isRestored ? " again" : "").")
        case .takenBack(let id): screen.show("  \(name(id)) was refunded, and is locked again.")
        case .notKept(let id, let error):
            fail("  \(name(id)) cannot be kept, and comes again at the next start: \(error.localizedDescription)")
        case .restored: screen.show(restored == 0 ? "There is nothing to restore." : "Restored: \(restored).")
        case .restoreFailed(let error): fail("Nothing was restored. \(error.localizedDescription)")
        }
        goOn()
    }

    private func showFilters(_ shop: Shop) {
        isListDue = false
        screen.show()
        let free = ["   ", Filter.negative.title, "Light is dark, and dark is light.", "free: negative IN OUT"]
        let bought = Filter.products.enumerated().map { index, id in
            let product = shop.products[id]
            let filter = Filter.allCases.first { $0.product == id }
            let isOwned =
                club?.membership != nil || filter.map(shop.possessions.allows) ?? shop.possessions.products.contains(id)
            let use = filter.map { "yours: \($0.rawValue) IN OUT" } ?? "yours"
            let offer = product.map { "\(Self.price($0)): buy \(index + 1)" } ?? "not for sale now"
            return ["  \(index + 1)", name(id), product?.localizedDescription ?? "", isOwned ? use : offer]
        }
        for row in Screen.table([free] + bought + clubRows()) { screen.show(row) }
        screen.show()
        screen.show("What shall it be? help shows what I do.")
    }

    private static func price(_ product: SKProduct) -> String {
        let format = NumberFormatter()
        format.numberStyle = .currency
        format.locale = product.priceLocale
        return format.string(from: product.price) ?? "\(product.price)"
    }
}
