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
        /// Nothing has come of it for a while; the download tries again by itself.
        case silent(String)
        /// It is saved, activated and finished: now it may be shown.
        case delivered(String, StoredContent?)
        /// It is the person's, and is loaded later.
        case kept(String)
        /// What the server has recorded of a purchase: all that its receipt shows.
        case recorded(String, [RecordedPurchase])
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
    /// How far each has come.
    private var received: [String: Int64] = [:]
    /// Subscriptions that were chosen and begin when the present one ends.
    private(set) var following: Set<String> = []
    private var isOffline = false
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
    ///
    /// - Parameter isAsked: whether the person waits for it, and hears each time that the server cannot be reached.
    func refresh(isAsked: Bool = true) async throws {
        let list = try await client.offeredProducts()
        let added = offered.map(list.added) ?? []
        offered = list
        if !added.isEmpty { tell(.added(added)) }
        let wasOffline = isOffline
        isOffline = list.isOffline
        if let reason = list.staleness {
            if isAsked || !wasOffline { tell(.offline(reason)) }
            return
        }
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
            let watch = Task { await noteSilence(of: product) }
            defer { watch.cancel() }
            do {
                let saved = try await delivery.download { progress in
                    Task { @MainActor in
                        self.received[product] = progress.receivedBytes
                        self.tell(.moved(product, progress))
                    }
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

    /// Tells once whenever nothing comes of a download for a while.
    private func noteSilence(of product: String) async {
        var (last, isTold) = (received[product] ?? 0, false)
        while (try? await Task.sleep(for: .seconds(3))) != nil {
            let now = received[product] ?? 0
            if now == last, !isTold { tell(.silent(product)) }
            (isTold, last) = (now == last, now)
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
                let recorded = try activate(saved, isBought: true).recorded
                // A lower plan is paid when the present one ends, so the receipt does not have it yet.
                if !recorded.contains(where: { $0.productId.text == product }) { following.insert(product) }
                tell(.recorded(product, recorded))
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
