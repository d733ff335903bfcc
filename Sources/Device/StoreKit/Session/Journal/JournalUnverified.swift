import Foundation
package import StoreModel
import StoreSQLite

/// A transaction that waits for the app and whose signature is not good. The modern API hands it out as unverified.
///
/// Such transactions are kept apart from those that were verified: the original API never hears of them, and nothing that was
/// verified is replaced by one. They go when a good signature comes, when the app finishes them, and when everything is read anew
/// and they are not there.
package struct UnverifiedTransaction: Codable, Hashable, Sendable {
    package let id: TransactionID
    /// The JWS, as the store sent it.
    package let signed: String
    /// Whether it waits for nobody: it was finished on another device, or taken back. Those are not kept.
    private(set) var isOver: Bool
    /// The process in which `purchase(options:)` has returned it.
    private(set) var returnedIn: String?

    /// Nil where the text does not even say which transaction it is of.
    init?(_ signed: String, isFinished: Bool = false, returnedIn process: String? = nil) {
        let content = Transaction(signed: signed)
        guard let number = Int64(exactly: content.id), number > 0, let id = try? TransactionID(number: number),
            signed.utf8.count <= JournalLimits.signedBytes
        else { return nil }
        (self.id, self.signed, returnedIn) = (id, signed, process)
        isOver = isFinished || content.revocationDate != nil
    }

    /// The same, which was returned where the former one was.
    fileprivate func following(_ former: UnverifiedTransaction?) -> UnverifiedTransaction {
        var next = self
        next.returnedIn = returnedIn ?? former?.returnedIn
        return next
    }
}

extension Journal {
    /// What waits for the app and is not verified, the oldest first.
    package func unverified() throws -> [UnverifiedTransaction] {
        try use { try $0.unverified() }
    }

    /// Keeps one, unless the journal has a verified one with its number.
    func keep(_ transaction: UnverifiedTransaction) throws {
        try change { try $0.changeUnverified(with: [transaction]) }
    }
}

extension JournalDatabase {
    func unverified() throws -> [UnverifiedTransaction] {
        guard let text = try value(.unverified) else { return [] }
        guard let found = try? JSONDecoder().decode([UnverifiedTransaction].self, from: Data(text.utf8)) else {
            throw Journal.damage
        }
        return found
    }

    /// - Parameters:
    ///   - news: those that came, in the place of former ones with their numbers.
    ///   - gone: those that wait no more, or were verified.
    ///   - isEverything: whether all others are gone, too.
    func changeUnverified(
        with news: [UnverifiedTransaction] = [], without gone: Set<TransactionID> = [], isEverything: Bool = false
    ) throws {
        let former = try unverified()
        if former.isEmpty, news.isEmpty { return }
        let ids = gone.union(news.map(\.id))
        var next = isEverything ? [] : former.filter { !ids.contains($0.id) }
        for one in news where !one.isOver && !gone.contains(one.id) {
            // The app may have finished it while the store was still telling of it.
            let isFinished = try !query("SELECT id FROM finishing WHERE id = $1", .integer(one.id.number)) {
                try $0.integer(0)
            }.isEmpty
            guard !isFinished, try transaction(one.id) == nil else { continue }
            next.append(one.following(former.first { $0.id == one.id }))
        }
        guard next != former else { return }
        let text = String(
            decoding: try JSONEncoder().encode(Array(next.suffix(JournalLimits.unverified))), as: UTF8.self)
        try set(.unverified, next.isEmpty ? nil : text)
    }
}
