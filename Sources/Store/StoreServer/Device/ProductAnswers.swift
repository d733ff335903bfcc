import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import Synchronization

/// Answers to requests for products that were given before. Apps ask for the same ids at every launch, in the same words.
///
/// An answer holds as long as the newest change of the catalogue is the same, and until the next price or offer that was set
/// beforehand begins or ends by the clock of whoever asks.
final class ProductAnswers: Sendable {
    /// On what an answer depends beside the catalogue.
    struct Key: Hashable {
        let app: AppID
        let storefront: StorefrontCode
        let language: String
        let profileRevision: Int?
        /// As the app sent it.
        let body: [UInt8]

        init(_ scope: DeviceScope, _ body: [UInt8]) {
            app = scope.app
            storefront = scope.storefront
            language = scope.language
            profileRevision = scope.profileRevision
            self.body = body
        }

        // Both compare and hash all bytes at once: one by one, as arrays do it, takes longer than all the rest of a request.

        static func == (first: Key, second: Key) -> Bool {
            first.app == second.app && first.storefront == second.storefront && first.language == second.language
                && first.profileRevision == second.profileRevision && first.body.count == second.body.count
                && first.body.withUnsafeBytes { first in
                    second.body.withUnsafeBytes { second in
                        // Both have as many bytes.
                        guard let one = first.baseAddress, let other = second.baseAddress else { return true }
                        return memcmp(one, other, first.count) == 0
                    }
                }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(app)
            hasher.combine(storefront)
            hasher.combine(language)
            hasher.combine(profileRevision)
            body.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private struct Entry {
        let response: HTTPResponse
        let from: StoreTimes
        let until: ProductListings.Validity

        /// Whether it is the answer at a moment, which may be an earlier one by the clock of another customer.
        func holds(at now: StoreTimes) -> Bool {
            from.commerce <= now.commerce && from.wall <= now.wall
                && until.commerce.map { now.commerce < $0 } ?? true && until.wall.map { now.wall < $0 } ?? true
        }
    }

    private struct Content {
        var revision: Int64 = 0
        var entries: [Key: Entry] = [:]
        var bytes = 0
    }

    /// What is remembered has at most so many bytes, questions and answers; then all of it is forgotten.
    static let mostBytes = 16 << 20

    private let content = Mutex(Content())

    func find(_ key: Key, of revision: Int64, at now: StoreTimes) -> HTTPResponse? {
        content.withLock { content in
            guard content.revision == revision, let entry = content.entries[key], entry.holds(at: now) else {
                return nil
            }
            return entry.response
        }
    }

    func keep(
        _ response: HTTPResponse, for key: Key, of revision: Int64, from: StoreTimes, until: ProductListings.Validity
    ) {
        guard case .bytes(let body) = response.body else { return }
        let size = body.count + key.body.count
        guard size <= Self.mostBytes / 8 else { return }
        content.withLock { content in
            // Another may have seen a newer one meanwhile.
            guard revision >= content.revision else { return }
            if revision > content.revision || content.bytes + size > Self.mostBytes {
                content = Content(revision: revision)
            }
            if content.entries.updateValue(Entry(response: response, from: from, until: until), forKey: key) == nil {
                content.bytes += size
            }
        }
    }
}
