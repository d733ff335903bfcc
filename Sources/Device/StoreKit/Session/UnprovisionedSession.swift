import Foundation
package import StoreFoundation
package import StoreModel
import Synchronization

/// The engine of an app without a provisioning profile: it knows no product, sells nothing, and waits for nobody.
package final class UnprovisionedSession: OriginalSession {
    /// An answer takes a moment, as everywhere: tests of apps start a request and hand its delegate an answer of their own in the
    /// next line, which must come first.
    private static let moment = Duration.milliseconds(20)

    private struct State {
        var entries: [QueueEntry] = []
        var sinks: [SessionSink] = []
        var isReported = false
    }

    private let state = Mutex(State())
    /// Makes events of several threads come one after the other.
    private let order = NSRecursiveLock()
    private let reason: ProfileError
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - reason: Why nothing can be sold.
    ///   - report: Takes the one line that says so.
    package init(
        _ reason: ProfileError = .missing, report: @escaping @Sendable (String) -> Void = SessionLog.write
    ) {
        self.reason = reason
        self.report = report
    }

    package var texts: Texts { ProfileSession.texts }

    package var isSimulator: Bool { ProfileSession.preferences.isSimulator }

    package var canMakePayments: Bool { true }

    /// Never known: no request is made.
    package let network = ObservedValue<NetworkStatus>()

    package var storefront: StorefrontAnswer? { nil }

    package var entries: [QueueEntry] { state.withLock { $0.entries } }

    package var receiptURL: URL? { nil }

    package var storeAddress: StoreAddress? { nil }

    package func products(for identifiers: Set<String>) async throws(SessionFailure) -> ProductAnswer {
        if !identifiers.isEmpty { reportOnce() }
        try? await Task.sleep(for: Self.moment)
        // A disk that is full, for example: that says nothing of the products.
        if isBroken, !identifiers.isEmpty { throw failure(.unknown) }
        return ProductAnswer(products: [], invalidIdentifiers: identifiers.sorted())
    }

    @discardableResult
    package func add(_ payment: Payment) -> QueueEntry.Key {
        reportOnce()
        var entry = QueueEntry.unkept(payment)
        return order.withLock {
            state.withLock { $0.entries.append(entry) }
            tell(.updated([entry]))
            entry.state = .failed
            entry.failure = failure(.paymentInvalid)
            state.withLock { state in
                guard let index = state.entries.firstIndex(where: { $0.key == entry.key }) else { return }
                state.entries[index] = entry
            }
            tell(.updated([entry]))
            return entry.key
        }
    }

    package func finish(_ key: QueueEntry.Key) {
        order.withLock {
            let removed = state.withLock { state in
                guard let index = state.entries.firstIndex(where: { $0.key == key }) else { return false }
                state.entries.remove(at: index)
                return true
            }
            if removed { tell(.removed([key])) }
        }
    }

    package func restore(applicationUsername: String?) {
        reportOnce()
        order.withLock { tell(.restoreFailed(failure(.unknown))) }
    }

    package func attach(_ sink: SessionSink) {
        order.withLock {
            let entries = state.withLock { state in
                state.sinks.append(sink)
                return state.entries
            }
            sink.tell(.attached(entries))
        }
    }

    package func detach(_ sink: SessionSink) {
        order.withLock { state.withLock { $0.sinks.removeAll { $0 === sink } } }
    }

    package func refreshReceipt(_ properties: ReceiptProperties) async throws(SessionFailure) {
        reportOnce()
        throw failure(.unknown)
    }

    package func ask(_ command: DownloadEntry.Command, of downloads: [DownloadEntry]) {}

    package func contentFolder(of product: String) -> URL? { nil }

    package func deleteContent(of product: String) {}

    package var environmentTime: Instant { SystemClock.now() }

    package func presentCodeRedemption() { reportOnce() }

    package func showPriceConsentIfNeeded() {}

    package func loadPage(_ request: VisitRequest) async throws(SessionFailure) -> LoadedPage {
        reportOnce()
        throw failure(.storeProductNotAvailable)
    }

    package func show(_ page: LoadedPage) async {}

    private func tell(_ news: SessionNews) {
        for sink in state.withLock({ $0.sinks }) { sink.tell(news) }
    }

    private func reportOnce() {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        if isFirst { report(advice) }
    }

    private func failure(_ code: SKError.Code) -> SessionFailure {
        SessionFailure(code: code.rawValue, reason: reason.code.name, text: advice)
    }

    private var advice: String {
        "nothing can be bought\(isBroken ? "" : ", and every product identifier is invalid"): \(reason)."
    }

    /// Whether it is the device that fails, and not the profile.
    private var isBroken: Bool { reason.code == .device }
}
