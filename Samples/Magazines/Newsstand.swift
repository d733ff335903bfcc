import Foundation
import StoreBackendClient
import StoreKit
import StoreModel

/// What talks to the magazine's own server: it has the list of what is for sale, and handles what was bought in the order save,
/// activate, finish, then show.
@MainActor
final class Newsstand {
    /// What the person is told.
    // Closed: only this app switches over them.
    enum News {
        /// New issues are in the list.
        case added([OfferedProduct])
        case offline(BackendClientError)
        case moved(String, DeliveryProgress)
        /// It is saved, activated and finished: now it may be shown.
        case delivered(String, StoredContent?)
        /// It is the person's, and is loaded later.
        case kept(String)
        case recorded([RecordedPurchase])
        case paused(String)
        case failed(String, any Error)
        /// A subscription has ended, and the person may be asked now to go on.
        case lapsed(String, since: Instant?)
    }

    let client: BackendClient
    private(set) var rack: Rack
    private(set) var offered: OfferedProducts?
    /// What is being loaded, by product.
    private var downloads: [String: Task<Void, Never>] = [:]
    private let tell: @MainActor (News) -> Void

    init(_ client: BackendClient, _ rack: Rack, tell: @escaping @MainActor (News) -> Void) {
        self.client = client
        self.rack = rack
        self.tell = tell
    }

    var isLoading: Bool { !downloads.isEmpty }

    func isLoading(_ product: String) -> Bool { downloads[product] != nil }

    /// Whether a subscription of the person gives it too.
    func isIncluded(_ product: OfferedProduct) -> Bool {
        product.includedIn?.contains { rack.has($0.text) } ?? false
    }

    /// Asks for the list, and for what the person has.
    func refresh() async throws {
        let list = try await client.offeredProducts()
        let added = offered.map(list.added) ?? []
        offered = list
        if !added.isEmpty { tell(.added(added)) }
        if let reason = list.staleness { return tell(.offline(reason)) }
        if client.user != nil { try await review() }
    }

    /// Takes over what the server says of the person's purchases, on whichever device they were made.
    func review() async throws {
        let entitlements = try await client.entitlements()
        try rack.update(entitlements, keeping: Set(client.keptDeliveries.map(\.productID)))
        for (product, possession) in rack.possessions.sorted(by: { $0.key < $1.key }) where !possession.isInForce {
            guard let subscription = possession.subscription else { continue }
            if try await client.mayPrompt(forSubscription: subscription.description) {
                tell(.lapsed(product, since: possession.expires))
            }
        }
    }

    /// Handles what was bought.
    ///
    /// - Parameters:
    ///   - isDeferred: keeps the receipt and finishes the transaction; the content is loaded when the person wants it.
    ///   - finish: ends the transaction in the queue.
    func take(
        _ product: String, quantity: Int, receipt: Data, isDeferred: Bool, finish: @escaping @Sendable () -> Void
    ) {
        do {
            let delivery = try client.delivery(of: product, quantity: quantity, proof: receipt, finish: finish)
            guard offered?[product]?.content != nil else { return record(delivery) }
            guard isDeferred else { return load(delivery, isBought: true) }
            try activate(delivery.keep(), isBought: true)
            tell(.kept(product))
        } catch {
            tell(.failed(product, error))
        }
    }

    /// Loads what is the person's: with the receipt that was kept, or because the server knows.
    func load(_ product: String) {
        do {
            if let kept = client.keptDeliveries.first(where: { $0.productID == product }) {
                return load(kept, isBought: true)
            }
            load(try client.delivery(of: product), isBought: false)
        } catch {
            tell(.failed(product, error))
        }
    }

    private func load(_ delivery: Delivery, isBought: Bool) {
        let product = delivery.productID
        guard downloads[product] == nil else { return }
        downloads[product] = Task {
            do {
                let saved = try await delivery.download { progress in
                    Task { @MainActor in self.tell(.moved(product, progress)) }
                }
                downloads[product] = nil
                let finished = try activate(saved, isBought: isBought)
                tell(.delivered(product, finished.content))
            } catch let error as BackendClientError where error.code == .cancelled {
                downloads[product] = nil
                tell(.paused(product))
            } catch {
                downloads[product] = nil
                tell(.failed(product, error))
            }
        }
    }

    /// Stops loading. What has come is kept.
    func pause(_ product: String) { downloads[product]?.cancel() }

    /// Has the server record what has no content.
    private func record(_ delivery: Delivery) {
        let product = delivery.productID
        downloads[product] = Task {
            do {
                let saved = try await delivery.record()
                downloads[product] = nil
                tell(.recorded(try activate(saved, isBought: true).recorded))
            } catch {
                downloads[product] = nil
                tell(.failed(product, error))
            }
        }
    }

    /// What was bought is on the rack before the transaction is finished. An issue that a subscription gives is not.
    @discardableResult
    private func activate(_ saved: SavedDelivery, isBought: Bool) throws -> FinishedDelivery {
        try saved.activate { if isBought { try rack.add($0) } }.finish()
    }

    /// The person got the money back.
    func lose(_ product: String) throws {
        try rack.remove(product)
        try client.removeContent(of: product)
    }
}
