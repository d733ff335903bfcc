import Foundation
import SampleTerminal
import StoreKit

/// What the person and the app say to each other.
@MainActor
final class Conversation {
    private let screen = Screen()
    private let isEager: Bool
    private var shop: Shop?
    private var reader: LineReader?
    private var isAwaitingLine = false
    private var isListDue = true
    private var hasFailed = false
    private var restored = 0
    /// What moves, by chapter.
    private var lines: [Chapter: ProgressLine] = [:]

    /// - Parameter isEager: takes the next command while something is loaded, also in a pipe.
    init(isEager: Bool) { self.isEager = isEager }

    func begin(_ shelf: Shelf) {
        reader = LineReader { [weak self] line in self?.take(line) }
        screen.show("BookChapters: a book in two chapters.")
        let shop = Shop(shelf) { [weak self] news in self?.hear(news) }
        self.shop = shop
        shop.askForPrices()
    }

    /// Awaits the next line, unless something is under way: then lines are for StoreKit, which may have a question open.
    private func goOn() {
        guard let shop else { return }
        let mustWait = shop.isBusy || shop.isLoading && !screen.isTerminal && !isEager
        guard !mustWait else {
            guard isAwaitingLine, reader?.withdraw() == true else { return }
            isAwaitingLine = false
            return screen.withdraw()
        }
        guard !isAwaitingLine else { return }
        if isListDue { showChapters(shop) }
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
        case .on(let chapter, let verb): perform(verb, chapter, shop)
        case .choose(let chapter): perform(next(for: chapter, shop), chapter, shop)
        case .restore:
            restored = 0
            shop.restore()
        case .help: for line in Self.help { screen.show(line) }
        case .quit: exit(screen.isTerminal || !hasFailed ? 0 : 1)
        case .unknown(let advice): fail(advice)
        }
    }

    private func perform(_ verb: Line.Verb, _ chapter: Chapter, _ shop: Shop) {
        switch verb {
        case .buy:
            guard SKPaymentQueue.canMakePayments() else { return fail(Self.disabled) }
            guard let product = shop.products[chapter] else { return fail("\(name(chapter)) is not for sale now.") }
            shop.buy(product)
        case .get:
            guard shop.shelf.owns(chapter) else {
                return fail("\(name(chapter)) is not yours yet: buy \(chapter.number)")
            }
            shop.load(chapter)
        case .pause: on(chapter, shop, when: [.active, .waiting]) { shop.pause($0) }
        case .resume: on(chapter, shop, when: [.paused]) { shop.resume($0) }
        case .cancel: on(chapter, shop, when: [.active, .waiting, .paused]) { shop.cancel($0) }
        case .read: read(chapter, shop)
        }
    }

    /// What the line of a chapter in the list advises.
    private func next(for chapter: Chapter, _ shop: Shop) -> Line.Verb {
        guard shop.shelf.owns(chapter) else { return .buy }
        if shop.download(of: chapter)?.state == .paused { return .resume }
        guard shop.shelf.library.currentVersion(of: chapter.rawValue) != nil else { return .get }
        let isOld = shop.products[chapter].map(shop.shelf.library.hasNewer) ?? false
        return isOld ? .get : .read
    }

    private static let disabled =
        "AppStore disabled: for this device till device restrict off allows it, for this account till testers change EMAIL "
        + "--purchases allowed."

    private func on(
        _ chapter: Chapter, _ shop: Shop, when states: Set<SKDownloadState>, _ body: (SKDownload) -> Void
    ) {
        guard let download = shop.download(of: chapter), states.contains(download.state) else {
            return fail("Nothing of \(name(chapter)) is on its way.")
        }
        body(download)
    }

    private static let help = Screen.table([
        ["  1", "do what the line of the chapter says"],
        ["  buy 1", "buy a chapter; it is loaded then"],
        ["  get 1", "load a chapter that is yours, or its new version"],
        ["  pause 1", "stop loading; it stays so, also when you leave"], ["  resume 1", "go on"],
        ["  cancel 1", "load it no more; get 1 begins anew"], ["  read 1", "read it"],
        ["  list", "show what there is"], ["  restore", "get back what you bought on another device"],
        ["  quit", "leave; what is loading goes on at the next start"],
    ])

    private func fail(_ text: String) {
        hasFailed = true
        screen.show(text)
    }
}

// What happened, for the person.
extension Conversation {
    private func name(_ chapter: Chapter) -> String { shop?.products[chapter]?.localizedTitle ?? chapter.ownName }

    private func hear(_ news: Shop.News) {
        switch news {
        case .productsFetched: break
        case .productsFailed(let error): fail("The store cannot be reached: \(Self.reason(of: error))")
        case .purchasing(let chapter): screen.show("  Buying \(name(chapter)) …")
        case .deferred(let chapter): screen.show("  \(name(chapter)) waits for somebody else's word.")
        case .failed(let chapter, let error): fail("  \(name(chapter)) was not bought: \(Self.reason(of: error))")
        case .owned(let chapter, let isRestored, let content): showOwned(chapter, isRestored, content)
        case .lost(let chapter): screen.show("  \(name(chapter)) was refunded, and is gone.")
        case .restored: screen.show(restored == 0 ? "  There is nothing to restore." : "  Restored: \(restored).")
        case .restoreFailed(let error): fail("  The restore failed: \(Self.reason(of: error))")
        case .moved(let chapter, let download): showProgress(chapter, download)
        case .ended(let chapter, let download): showEnd(chapter, download)
        case .kept(let chapter, let version):
            settle(chapter)
            screen.show("  \(name(chapter)) is here, version \(version): read \(chapter.number)")
        case .notKept(let chapter, let error): fail("  \(name(chapter)) cannot be kept: \(Self.reason(of: error))")
        }
        goOn()
    }

    private func showOwned(_ chapter: Chapter, _ isRestored: Bool, _ content: Shop.Content) {
        if isRestored { restored += 1 }
        let what =
            switch content {
            case .coming: "It is loaded now."
            case .waiting: "It can be loaded: get \(chapter.number)"
            case .here: "It is here already."
            case .none: "The store has no content of it."
            }
        screen.show("  \(name(chapter)) is yours. \(what)")
    }

    private func showProgress(_ chapter: Chapter, _ download: SKDownload) {
        guard download.state == .active else { return }
        let progress = download.progressNow
        if lines[chapter] == nil { lines[chapter] = ProgressLine(name(chapter)) }
        if screen.isTerminal {
            screen.move(lines[chapter]?.moving(progress, width: screen.width) ?? "")
        } else if let line = lines[chapter]?.plain(progress) {
            screen.show(line)
        }
    }

    private func settle(_ chapter: Chapter) {
        lines[chapter] = nil
        screen.move("")
    }

    private func showEnd(_ chapter: Chapter, _ download: SKDownload) {
        settle(chapter)
        switch download.state {
        case .paused: screen.show("  \(name(chapter)) is paused: resume \(chapter.number)")
        case .cancelled: screen.show("  \(name(chapter)) is loaded no more: get \(chapter.number)")
        default:
            fail("  \(name(chapter)) could not be loaded: \(Self.reason(of: download.error)) get \(chapter.number)")
        }
    }

    private func showChapters(_ shop: Shop) {
        isListDue = false
        screen.show()
        let rows = Chapter.allCases.map { chapter in
            let product = shop.products[chapter]
            return [
                "  \(chapter.number)", name(chapter), product?.localizedDescription ?? "", state(of: chapter, shop),
            ]
        }
        for row in Screen.table(rows) { screen.show(row) }
        screen.show()
        screen.show("What shall it be? help shows what I do.")
    }

    private func state(of chapter: Chapter, _ shop: Shop) -> String {
        let number = chapter.number
        guard shop.shelf.owns(chapter) else {
            guard let product = shop.products[chapter] else { return "not for sale now" }
            let size = product.downloadContentLengths.map(\.int64Value).reduce(0, +)
            return "\(Self.price(product))" + (size > 0 ? ", \(ProgressLine.bytes(size))" : "") + ": buy \(number)"
        }
        if let download = shop.download(of: chapter), download.state == .paused { return "paused: resume \(number)" }
        guard let version = shop.shelf.library.currentVersion(of: chapter.rawValue) else {
            return "yours: get \(number)"
        }
        let isOld = shop.products[chapter].map(shop.shelf.library.hasNewer) ?? false
        let newest = shop.products[chapter]?.downloadContentVersion ?? ""
        return "version \(version): read \(number)" + (isOld ? "; there is \(newest): get \(number)" : "")
    }

    private func read(_ chapter: Chapter, _ shop: Shop) {
        do {
            guard let files = try shop.shelf.files(of: chapter) else {
                return fail(
                    "\(name(chapter)) is not here: \(shop.shelf.owns(chapter) ? "get" : "buy") \(chapter.number)")
            }
            screen.show()
            for file in files {
                if file.pathExtension == "txt" {
                    screen.show(try String(contentsOf: file, encoding: .utf8))
                } else {
                    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64 ?? 0
                    screen.show("  [\(file.lastPathComponent), \(ProgressLine.bytes(size)): \(file.path)]")
                }
            }
        } catch {
            fail("\(name(chapter)) cannot be read: \(Self.reason(of: error))")
        }
    }

    private static func price(_ product: SKProduct) -> String {
        let format = NumberFormatter()
        format.numberStyle = .currency
        format.locale = product.priceLocale
        return format.string(from: product.price) ?? "\(product.price)"
    }

    private static func reason(of error: (any Error)?) -> String {
        error?.localizedDescription ?? ""
    }
}
