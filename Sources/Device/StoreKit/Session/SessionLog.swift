import Foundation
import StoreModel
import Synchronization

/// What StoreKit says to the developer: single lines on standard error, which bear its name among those of the app.
package enum SessionLog {
    package static func write(_ text: String) {
        OpenQuestion.interrupt { FileHandle.standardError.write(Data("StoreKit: \(text)\n".utf8)) }
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
        switch error.kind {
        case .unreachable: report("the store at \(store) cannot be reached: \(error)")
        case .unavailable: report("the store at \(store) cannot answer now: \(error)")
        case .refused where error.refusal == .notSignedIn:
            report("nobody is signed in to the store at \(store); the next purchase or restore asks for it")
        case .refused: report("the store at \(store) refuses: \(error)")
        case .malformed: report("the answer of the store at \(store) makes no sense: \(error)")
        case .cancelled: break
        }
    }
}
