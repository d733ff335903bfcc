import Foundation
import StoreFoundation
import StoreModel
import TestSupport

@testable import StoreKit

/// An engine that does what a test tells it to, in memory.
final class ScriptedSession: OriginalSession {
    struct State: Sendable {
        var sinks: [SessionSink] = []
        var entries: [QueueEntry] = []
        var payments: [Payment] = []
        var finished: [QueueEntry.Key] = []
        var restores: [String?] = []
        var refreshes: [ReceiptProperties] = []
        var lookups: [Set<String>] = []
        var attachments = 0
        var detachments = 0
        var sheets: [String] = []
        var canMakePayments = true
        var language = "en"
        var isSimulator = false
        var storefront: StorefrontAnswer?
        var products: [String: ProductRecord] = [:]
        var failure: SessionFailure?
        var receiptURL: URL?
        /// What was asked of downloads: `start com.example…`.
        var commands: [String] = []
        var contentFolders: [String: URL] = [:]
        /// While closed, look-ups wait.
        var gate: Gate?
        /// What pages were loaded of, and of what some were shown.
        var pages: [VisitRequest] = []
        var presentations: [String] = []
        /// Opened when the person closes the page.
        var page = Gate()
    }

    private let state = Observed(State())

    /// Changes what the session answers.
    func script(_ change: (inout State) -> Void) { state.update { change(&$0) } }

    /// What the session was asked for.
    func read<Value: Sendable>(_ body: (State) -> Value) -> Value { body(state.value) }

    /// Waits until so many look-ups were begun.
    func untilLookups(_ count: Int) async throws { try await state.wait { $0.lookups.count >= count } }

    let network = ObservedValue<NetworkStatus>()
    var texts: Texts { Texts.best(for: [read(\.language)]) }
    var isSimulator: Bool { read(\.isSimulator) }
    var canMakePayments: Bool { read(\.canMakePayments) }
    var storefront: StorefrontAnswer? { read(\.storefront) }
    var entries: [QueueEntry] { read(\.entries) }
    var receiptURL: URL? { read(\.receiptURL) }
    var storeAddress: StoreAddress? { .test }

    func products(for identifiers: Set<String>) async throws(SessionFailure) -> ProductAnswer {
        script { $0.lookups.append(identifiers) }
        await read(\.gate)?.pass()
        if let failure = read(\.failure) { throw failure }
        let known = read(\.products)
        return ProductAnswer(
            products: identifiers.sorted().compactMap { known[$0] },
            invalidIdentifiers: identifiers.sorted().filter { known[$0] == nil })
    }

    @discardableResult
    func add(_ payment: Payment) -> QueueEntry.Key {
        let entry = state.update { state in
            state.payments.append(payment)
            let entry = QueueEntry(.named("purchase \(state.payments.count)"), payment, .purchasing)
            state.entries.append(entry)
            return entry
        }
        tell(.updated([entry]))
        return entry.key
    }

    func finish(_ key: QueueEntry.Key) {
        let isKnown = state.update { state in
            guard state.entries.contains(where: { $0.key == key }) else { return false }
            state.entries.removeAll { $0.key == key }
            state.finished.append(key)
            return true
        }
        if isKnown { tell(.removed([key])) }
    }

    func restore(applicationUsername: String?) { script { $0.restores.append(applicationUsername) } }

    func attach(_ sink: SessionSink) {
        let entries = state.update { state in
            state.sinks.append(sink)
            state.attachments += 1
            return state.entries
        }
        sink.tell(.attached(entries))
    }

    func detach(_ sink: SessionSink) {
        script { state in
            state.sinks.removeAll { $0 === sink }
            state.detachments += 1
        }
    }

    func refreshReceipt(_ properties: ReceiptProperties) async throws(SessionFailure) {
        script { $0.refreshes.append(properties) }
        if let failure = read(\.failure) { throw failure }
    }

    func ask(_ command: DownloadEntry.Command, of downloads: [DownloadEntry]) {
        script { $0.commands.append("\(command) " + downloads.map(\.product).joined(separator: ", ")) }
    }

    func contentFolder(of product: String) -> URL? { read { $0.contentFolders[product] } }

    func deleteContent(of product: String) { script { $0.contentFolders[product] = nil } }

    var environmentTime: Instant { Instant(millisecondsSinceEpoch: 1_900_000_000_000) }

    func presentCodeRedemption() { script { $0.sheets.append("code") } }
    func showPriceConsentIfNeeded() { script { $0.sheets.append("price") } }

    func loadPage(_ request: VisitRequest) async throws(SessionFailure) -> LoadedPage {
        let count = state.update { state in
            state.pages.append(request)
            return state.pages.count
        }
        await read(\.gate)?.pass()
        if let failure = read(\.failure) { throw failure }
        return LoadedPage(.test(Int64(count)), for: request, in: .test)
    }

    func show(_ page: LoadedPage) async {
        script { $0.presentations.append(page.request.itemId) }
        await read(\.page).pass()
    }

    /// Waits until so many pages were shown.
    func untilPresentations(_ count: Int) async throws { try await state.wait { $0.presentations.count >= count } }

    /// Says something to the queue, if one is attached.
    func tell(_ news: SessionNews) {
        for sink in read(\.sinks) { sink.tell(news) }
    }

    /// Decides a transaction, the last one unless another is named.
    func decide(_ key: QueueEntry.Key? = nil, _ change: (inout QueueEntry) -> Void) {
        let entry = state.update { state -> QueueEntry? in
            guard let index = state.entries.lastIndex(where: { key == nil || $0.key == key }) else { return nil }
            change(&state.entries[index])
            return state.entries[index]
        }
        if let entry { tell(.updated([entry])) }
    }

    /// Puts a transaction in the journal, and tells the queue.
    func put(_ entry: QueueEntry) {
        script { $0.entries.append(entry) }
        tell(.updated([entry]))
    }
}
