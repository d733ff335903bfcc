import Foundation
import StoreModel
import Synchronization

/// What StoreKit says to the developer: single lines on standard error.
package enum SessionLog {
    package static func write(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

/// Says what keeps an app from its store, for the developer: customers are only told that it cannot be reached.
final class TroubleLog: Sendable {
    private let store: StoreAddress
    private let report: @Sendable (String) -> Void
    private let said = Mutex<Set<String>>([])

    init(_ store: StoreAddress, report: @escaping @Sendable (String) -> Void) {
        self.store = store
        self.report = report
    }

    /// Says each kind of trouble once, so that a store which is away for a day fills no log.
    func note(_ error: ConnectionError) {
        guard error.kind != .cancelled, said.withLock({ $0.insert(error.code).inserted }) else { return }
        report("the store at \(store) cannot be used: \(error)")
    }
}
