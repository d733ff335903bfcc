import Foundation
import SampleTerminal
import StoreBackendClient
import StoreKit
import StoreModel

/// What the person and the app say to each other.
@MainActor
final class Conversation {
    private let screen = Screen()
    private let isEager: Bool
    private let interval: Duration
    private var newsstand: Newsstand?
    private var shop: Shop?
    private var reader: LineReader?
    private var isAwaitingLine = false
    private var isListDue = true
    private var hasFailed = false
    /// Whether the server is asked something that the person waits for.
    private var isAsking = false
    private var quarters: [String: Int] = [:]
    /// What was said since the last line: a receipt shows what an earlier one has shown.
    private var said: Set<String> = []
    /// Subscriptions that have ended, of which the person has not heard yet.
    private var ended: [(product: String, end: Instant?)] = []

    /// - Parameters:
    ///   - isEager: takes the next command while something is loaded, also in a pipe.
    ///   - interval: how often the server is asked for new issues.
    init(isEager: Bool, every interval: Duration) {
        self.isEager = isEager
        self.interval = interval
    }

    func begin(_ client: BackendClient, _ rack: Rack) {
        reader = LineReader { [weak self] line in self?.take(line) }
        screen.show("Magazines: issues that come from the magazine's own server.")
        let newsstand = Newsstand(client, rack) { [weak self] news in self?.hear(news) }
        let shop = Shop(newsstand) { [weak self] news in self?.hear(news) }
        self.newsstand = newsstand
        self.shop = shop
        ask("The list cannot be had") {
            try await newsstand.refresh()
            shop.askForPrices()
        } finally: {
            shop.open()
        }
        Task { await watch(newsstand) }
    }

    /// Looks for new issues now and then, as long as the app runs.
    private func watch(_ newsstand: Newsstand) async {
        while true {
            try? await Task.sleep(for: interval)
            // A later look finds what this one does not.
            if !isAsking { try? await newsstand.refresh(isAsked: false) }
        }
    }

    /// Does something that the person waits for.
    private func ask(
        _ what: String, _ body: @escaping @MainActor () async throws -> Void,
        finally: @escaping @MainActor () -> Void = {}
    ) {
        isAsking = true
        Task {
            do {
                try await body()
            } catch {
                let isReached = (error as? BackendClientError)?.code != .unreachable
                fail("\(isReached ? what : "The magazine's server cannot be reached"): \(Self.reason(of: error))")
            }
            isAsking = false
            finally()
            goOn()
        }
    }

    /// Awaits the next line, unless something is under way: then lines are for StoreKit, which may have a question open.
    private func goOn() {
        guard let shop, let newsstand else { return }
        let mustWait =
            isAsking || shop.isBusy || newsstand.isLoading && !screen.isTerminal && !isEager
        guard !mustWait else {
            guard isAwaitingLine, reader?.withdraw() == true else { return }
            isAwaitingLine = false
            return screen.withdraw()
        }
        guard !isAwaitingLine else { return }
        if isListDue { showList(shop) }
        isAwaitingLine = true
        screen.prompt()
        reader?.askForLine()
    }

    private func take(_ text: String?) {
        isAwaitingLine = false
        screen.answered()
        said = []
        // A script ends with its last line, and is told whether all of it was done; who says quit at a terminal has seen it.
        guard let text else { exit(hasFailed ? 1 : 0) }
        if let shop { perform(Line(text), shop) }
        goOn()
    }

    private func perform(_ line: Line, _ shop: Shop) {
        let newsstand = shop.newsstand
        switch line {
        case .nothing: break
        case .list:
            isListDue = true
            ask("The list cannot be had") {
                try await newsstand.refresh()
                shop.askForPrices()
            }
        case .on(let number, let verb): perform(verb, number, shop)
        case .join(let name, let password):
            sign("The account cannot be made", shop) { try await $0.signUp(name: name, password: password) }
        case .enter(let name, let password):
            sign("You cannot come in", shop) { try await $0.signIn(name: name, password: password) }
        case .leave:
            ask("You cannot leave") { [screen] in
                try await newsstand.client.signOut()
                screen.show("  You have left. What is on this device stays.")
            }
        case .restore:
            guard newsstand.client.user != nil else { return fail(Self.nobody) }
            shop.restore()
        case .help: for line in Self.help { screen.show(line) }
        case .quit: exit(screen.isTerminal || !hasFailed ? 0 : 1)
        case .unknown(let advice): fail(advice)
        }
    }

    private func sign(
        _ what: String, _ shop: Shop, _ body: @escaping @Sendable (BackendClient) async throws -> SignedInUser
    ) {
        let newsstand = shop.newsstand
        ask(what) { [self] in
            let user = try await body(newsstand.client)
            isListDue = true
            screen.show("  Welcome, \(user.name).")
            try await newsstand.review()
            shop.takeUnfinished()
        }
    }

    private func perform(_ verb: Line.Verb, _ number: Int, _ shop: Shop) {
        let newsstand = shop.newsstand
        guard let products = newsstand.offered?.products, products.indices.contains(number - 1) else {
            return fail("There is no number \(number) in the list.")
        }
        let id = products[number - 1].productId.text
        switch verb {
        case .buy, .later:
            guard newsstand.client.user != nil else { return fail(Self.nobody) }
            guard !shop.isPaid(id) else { return fail("\(name(id)) is paid for: get \(number)") }
            guard SKPaymentQueue.canMakePayments() else { return fail("AppStore disabled.") }
            guard let product = shop.products[id] else { return fail("\(name(id)) is not for sale now.") }
            shop.buy(product, later: verb == .later)
        case .get:
            guard newsstand.client.user != nil else { return fail(Self.nobody) }
            // What is paid for and not finished is handled once more; a receipt that was kept, and what the server knows, are next.
            guard !shop.takeUnfinished(id) else { return }
            guard products[number - 1].content != nil else {
                return fail("\(name(id)) has nothing to load itself; list shows the issues that it gives.")
            }
            newsstand.load(id)
        case .pause:
            guard newsstand.isLoading(id) else { return fail("Nothing of \(name(id)) is on its way.") }
            newsstand.pause(id)
        case .read:
            guard let content = newsstand.client.content(of: id) else {
                return fail("\(name(id)) is not here: \(newsstand.rack.has(id) ? "get" : "buy") \(number)")
            }
            show(content, pages: .max)
        }
    }

    private static let nobody = "The magazine does not know you yet: join NAME PASSWORD, or enter NAME PASSWORD"

    private static let help = Screen.table([
        ["  join NAME PASSWORD", "become a reader of the magazine"],
        ["  enter NAME PASSWORD", "come in on this device too; leave ends that"],
        ["  buy 1", "buy an issue and load it, or subscribe"], ["  later 1", "buy it now, and load it another time"],
        ["  get 1", "load what is yours, go on with it, or get its new version"],
        ["  pause 1", "stop loading; get 1 goes on"], ["  read 1", "read it"], ["  list", "show what there is"],
        ["  restore", "get back what you bought in the store on another device"],
        ["  quit", "leave the app; what was being loaded goes on with get"],
    ])

    private func fail(_ text: String) {
        hasFailed = true
        screen.show(text)
    }

    private static func reason(of error: (any Error)?) -> String {
        (error as? BackendClientError)?.message ?? error?.localizedDescription ?? ""
    }
}

// What happened, for the person.
extension Conversation {
    private func name(_ product: String) -> String {
        shop?.products[product]?.localizedTitle ?? newsstand?.offered?[product]?.title ?? product
    }

    private func number(_ product: String) -> Int {
        (newsstand?.offered?.products.firstIndex { $0.productId.text == product } ?? -1) + 1
    }

    private func hear(_ news: Newsstand.News) {
        switch news {
        case .added(let products):
            screen.show("  New in the list: \(products.map { name($0.productId.text) }.joined(separator: ", "))")
            shop?.askForPrices()
        case .offline: screen.show("  The magazine's server cannot be reached; this is the last list.")
        case .moved(let product, let progress): showProgress(product, progress)
        case .silent(let product): screen.show("  \(name(product)): the server sends nothing, and is asked again.")
        case .delivered(let product, let content):
            screen.show("  \(name(product)) is here: read \(number(product))")
            quarters[product] = nil
            if let content { show(content, pages: 1) }
        case .kept(let product):
            let isHere = newsstand?.client.content(of: product) != nil
            let advice = isHere ? "It is here: read" : "It can be loaded: get"
            screen.show("  \(name(product)) is yours. \(advice) \(number(product))")
        case .recorded(let product, let purchases): show(purchases, of: product)
        case .paused(let product): screen.show("  \(name(product)) is paused: get \(number(product))")
        case .failed(let product, let error):
            fail("  \(name(product)): \(Self.reason(of: error)) Try again: get \(number(product))")
        case .lapsed(let product, let end):
            ended.append((product, end))
            if shop?.products[product] != nil { showEnded() }
        }
        goOn()
    }

    /// Says which subscriptions have ended, once the store has said what they are called, or does not.
    private func showEnded() {
        for (product, end) in ended {
            let day = end.map { " on \(Self.time($0))" } ?? ""
            screen.show("  \(name(product)) ended\(day). Go on reading: buy \(number(product))")
        }
        ended = []
    }

    private func hear(_ news: Shop.News) {
        switch news {
        case .productsFetched: showEnded()
        case .productsFailed(let error):
            fail("The store cannot be reached: \(Self.reason(of: error))")
            showEnded()
        case .purchasing(let product): screen.show("  Buying \(name(product)) …")
        case .deferred(let product): screen.show("  \(name(product)) waits for somebody else's word.")
        case .failed(let product, let error): fail("  \(name(product)) was not bought: \(Self.reason(of: error))")
        case .waiting(let product): screen.show("  \(name(product)) is paid for. \(Self.nobody)")
        case .lost(let product): screen.show("  \(name(product)) was refunded, and is gone.")
        case .restored: screen.show("  Restored.")
        case .restoreFailed(let error): fail("  The restore failed: \(Self.reason(of: error))")
        }
        goOn()
    }

    /// Says what a receipt has shown, of each product the last period.
    private func show(_ purchases: [RecordedPurchase], of product: String) {
        let last = Dictionary(grouping: purchases, by: \.productId).compactMap { _, all in
            all.max { ($0.expires ?? .latest) < ($1.expires ?? .latest) }
        }
        for purchase in last.sorted(by: { $0.productId < $1.productId }) { show(purchase) }
        guard !last.contains(where: { $0.productId.text == product }) else { return }
        let present = last.first { $0.state == .granted && $0.expires != nil }
        let end = present.map { "\(name($0.productId.text)) ends" } ?? "the present one ends"
        screen.show("  \(name(product)) begins when \(end).")
    }

    private func show(_ purchase: RecordedPurchase) {
        let name = name(purchase.productId.text)
        switch purchase.state {
        case .granted:
            let end = purchase.expires.map { " until \(Self.time($0))" } ?? ""
            let text = "  \(name) is yours\(end)."
            if said.insert(text).inserted { screen.show(text) }
        case .belongsToAnother: fail("  \(name) belongs to another reader.")
        default: screen.show("  \(name) was refunded.")
        }
    }

    /// A time to the minute: periods of the sandbox last a few.
    private static func time(_ instant: Instant) -> String {
        let text = instant.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    private func showProgress(_ product: String, _ progress: DeliveryProgress) {
        let quarter = Int(progress.fraction * 4)
        guard quarter > quarters[product] ?? 0, quarter < 4 else { return }
        quarters[product] = quarter
        screen.show("  \(name(product)): \(quarter * 25) %")
    }

    /// Pages of an issue, which are parted by form feeds.
    private func show(_ content: StoredContent, pages: Int) {
        guard let text = try? String(contentsOf: content.file, encoding: .utf8) else {
            return screen.show("  [\(content.file.lastPathComponent), \(content.bytes) bytes: \(content.file.path)]")
        }
        screen.show()
        for page in text.split(separator: "\u{0C}").prefix(pages) { screen.show(String(page)) }
    }

    private func showList(_ shop: Shop) {
        isListDue = false
        let newsstand = shop.newsstand
        guard let products = newsstand.offered?.products else { return }
        screen.show()
        let rows = products.enumerated().map { index, listed in
            let id = listed.productId.text
            let product = shop.products[id]
            return [
                "  \(index + 1)", name(id), product?.localizedDescription ?? "",
                state(of: listed, product, number: index + 1, newsstand),
            ]
        }
        for row in Screen.table(rows) { screen.show(row) }
        screen.show()
        screen.show("What shall it be? help shows what I do.")
    }

    private func state(of listed: OfferedProduct, _ product: SKProduct?, number: Int, _ newsstand: Newsstand) -> String
    {
        let id = listed.productId.text
        if newsstand.client.content(of: id) != nil {
            return "here: read \(number)"
                + (newsstand.client.hasNewer(listed) ? "; there is a newer one: get \(number)" : "")
        }
        if newsstand.rack.has(id) { return listed.content == nil ? "yours" : "yours: get \(number)" }
        if newsstand.isIncluded(listed) { return "in your subscription: get \(number)" }
        if shop?.isPaid(id) == true { return "paid: get \(number)" }
        if newsstand.following.contains(id) { return "begins when the present one ends" }
        guard let product else { return "not for sale now" }
        return "\(Self.price(product)): buy \(number)"
    }

    private static func price(_ product: SKProduct) -> String {
        let format = NumberFormatter()
        format.numberStyle = .currency
        format.locale = product.priceLocale
        return format.string(from: product.price) ?? "\(product.price)"
    }
}
