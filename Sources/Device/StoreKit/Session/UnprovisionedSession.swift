import Foundation
package import StoreModel
import Synchronization

/// The engine of an app without a provisioning profile: it knows no product, sells nothing, and never waits.
package final class UnprovisionedSession: OriginalSession {
    private struct State {
        var records: [PaymentRecord] = []
        var sink: (@Sendable (PaymentEvent) -> Void)?
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

    package var canMakePayments: Bool { true }

    /// Nothing is ever known: nobody is asked.
    package let network = NetworkStatusSource()

    package var storefront: StorefrontValue? { nil }

    package var payments: [PaymentRecord] { state.withLock { $0.records } }

    package var receiptURL: URL? { nil }

    package func products(for identifiers: Set<String>) async throws(SKError) -> ProductAnswer {
        if !identifiers.isEmpty { reportOnce() }
        return ProductAnswer(products: [], invalidIdentifiers: identifiers.sorted())
    }

    package func add(_ order: PaymentOrder) {
        reportOnce()
        let key = PaymentKey(UUID().uuidString)
        var record = PaymentRecord(key: key, state: .purchasing, order: order)
        self.order.withLock {
            state.withLock { $0.records.append(record) }
            tell(.updated([record]))
            record.state = .failed
            record.error = error(.paymentInvalid)
            state.withLock { state in
                guard let index = state.records.firstIndex(where: { $0.key == key }) else { return }
                state.records[index] = record
            }
            tell(.updated([record]))
        }
    }

    package func finish(_ key: PaymentKey) {
        order.withLock {
            let removed = state.withLock { state in
                guard let index = state.records.firstIndex(where: { $0.key == key }) else { return false }
                state.records.remove(at: index)
                return true
            }
            if removed { tell(.removed([key])) }
        }
    }

    package func restore(applicationUsername: String?) {
        reportOnce()
        order.withLock { tell(.restoreFailed(error(.unknown))) }
    }

    package func attach(_ sink: @escaping @Sendable (PaymentEvent) -> Void) {
        order.withLock {
            let records = state.withLock { state in
                state.sink = sink
                return state.records
            }
            sink(.attached(records))
        }
    }

    package func detach() { order.withLock { state.withLock { $0.sink = nil } } }

    package func refreshReceipt(_ properties: ReceiptProperties) async throws(SKError) {
        reportOnce()
        throw error(.unknown)
    }

    package func presentCodeRedemption() { reportOnce() }

    package func showPriceConsentIfNeeded() {}

    private func tell(_ event: PaymentEvent) {
        let sink = state.withLock { $0.sink }
        sink?(event)
    }

    private func reportOnce() {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        if isFirst { report(advice) }
    }

    private func error(_ code: SKError.Code) -> SKError {
        SKError(
            code,
            userInfo: [
                SKError.reasonKey: reason.code.name, NSLocalizedFailureReasonErrorKey: advice,
            ])
    }

    private var advice: String {
        "nothing can be bought, and every product identifier is invalid: \(reason)."
    }
}
