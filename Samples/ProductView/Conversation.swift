import Foundation
import SampleTerminal
import StoreKit

/// What the person and the app say to each other.
@MainActor
final class Conversation {
    private let screen = Screen()
    private let search = StoreSearch()
    private let system: SystemVersion
    private var viewer: Viewer?
    private var reader: LineReader?
    private var isAwaitingLine = false
    private var isAsking = false
    private var hasFailed = false
    /// What was found last.
    private var findings: [Finding] = []

    /// - Parameter system: the version of the system that the app behaves for.
    init(on system: SystemVersion) { self.system = system }

    func begin() {
        reader = LineReader { [weak self] line in self?.take(line) }
        screen.show("ProductView: pages of the store in an app. help shows what I do.")
        viewer = Viewer { [weak self] news in self?.hear(news) }
        goOn()
    }

    /// Awaits the next line, unless something is under way: then lines are for StoreKit, which may have a question open.
    private func goOn() {
        guard !isAsking, viewer?.isBusy != true else {
            guard isAwaitingLine, reader?.withdraw() == true else { return }
            isAwaitingLine = false
            return screen.withdraw()
        }
        guard !isAwaitingLine else { return }
        isAwaitingLine = true
        screen.prompt()
        reader?.askForLine()
    }

    private func take(_ text: String?) {
        isAwaitingLine = false
        screen.answered()
        // A script ends with its last line, and is told whether all of it was done; who says quit has seen it.
        guard let text else { exit(hasFailed ? 1 : 0) }
        perform(Line(text))
        goOn()
    }

    private func perform(_ line: Line) {
        switch line {
        case .nothing: break
        case .search(let words): ask { self.list(try await self.search.items(words)) }
        case .list: list(findings)
        case .view(let item): show(item)
        case .open(let item): open(item)
        case .link(let item): explain(item)
        case .own: ask { try await self.showOwn() }
        case .help: for line in Self.help { screen.show(line) }
        case .quit: exit(0)
        case .unknown(let advice): fail(advice)
        }
    }

    private static let help = Screen.table([
        ["  search WORDS", "look for apps, music, films and books"],
        ["  view 1", "show the page of what was found; or of the number of an item, or of a link"],
        ["  own", "show the app's own page, on which its products can be chosen"],
        ["  open 1", "open the page outside the app"], ["  link 1", "say the number and the link of an item"],
        ["  list", "show what was found once more"], ["  quit", "leave"],
    ])

    private func fail(_ text: String) {
        hasFailed = true
        screen.show(text)
    }

    /// Asks the store, and waits for its answer before the next line.
    private func ask(_ body: @escaping @MainActor () async throws -> Void) {
        isAsking = true
        Task {
            do { try await body() } catch { fail("  \(error.localizedDescription)") }
            isAsking = false
            goOn()
        }
    }
}

// Items, and their pages.
extension Conversation {
    private func list(_ found: [Finding]) {
        findings = found
        if found.isEmpty { return screen.show("There is nothing of that.") }
        let rows = found.enumerated().map { index, finding in
            [
                "  \(index + 1)", finding.name, finding.artistName ?? "", finding.sort, finding.price,
                finding.identifier.map(String.init) ?? "",
            ]
        }
        for row in Screen.table(rows) { screen.show(row) }
    }

    /// What is meant: something that was found, the number of an item, or a link; else the words themselves.
    private func identifier(_ text: String) -> Any {
        if let number = Int64(text) {
            let isOfList = number >= 1 && number <= findings.count
            return isOfList ? findings[Int(number) - 1].identifier ?? number : number
        }
        return StoreLink(text)?.storeIdentifier ?? text
    }

    private func link(_ text: String) -> StoreLink? {
        (identifier(text) as? Int64).flatMap { StoreLink(storeIdentifier: $0) }
    }

    /// Shows a page in the app; on systems that have none there, its link is opened outside.
    private func show(_ text: String) {
        guard system >= .withPages else { return open(text) }
        viewer?.show(identifier(text))
    }

    private func open(_ text: String) {
        guard let link = link(text), let url = link.url else { return fail("\(text) is no link of the store.") }
        screen.show("  \(url.absoluteString)")
        if !link.open() { screen.show("  No browser could be opened; that is the address.") }
    }

    private func explain(_ text: String) {
        guard let link = link(text) else { return fail("\(text) is no link of the store.") }
        screen.show("  \(link.storeIdentifier): \(link.url?.absoluteString ?? link.path)")
    }

    private func showOwn() async throws {
        let bundle = "com.example.productview"
        guard let own = try await search.app(bundle)?.identifier else {
            return fail("The store has no page of \(bundle).")
        }
        show(String(own))
    }

    private func hear(_ news: Viewer.News) {
        switch news {
        case .shown: screen.show("  The page is shown.")
        case .closed: screen.show("  The page is closed.")
        case .notShown(let error):
            let cause = (error as? SKError)?.userInfo[SKError.developerTextKey] as? String
            fail("  \(error.localizedDescription) (\(cause ?? "no reason"))")
        case .chosen(let product): screen.show("  \(product.localizedTitle): purchasing …")
        case .bought(let product): screen.show("  \(product) is yours.")
        case .failed(let product, let error):
            fail("  \(product) was not bought. \(error?.localizedDescription ?? "")")
        }
        goOn()
    }
}
