public import Foundation
import StoreFoundation
import StoreHTTP
import StoreHTTPClient
public import StoreModel
import StoreSigning

extension BackendClient {
    /// Begins to handle what was bought.
    ///
    /// A purchase is handled in the order *save, activate, finish, then show*. Each step gives the next one, so that a
    /// transaction cannot be finished before its content is saved and activated. If the app ends in between, the store brings the
    /// transaction again, and what is saved already is not downloaded again.
    ///
    /// - Parameters:
    ///   - identifier: the id of the product, of a restored transaction that of `original.payment`.
    ///   - quantity: how many were bought, which the server checks; without it, one of what has content.
    ///   - proof: the receipt of the transaction or of the app, or a signed transaction.
    ///   - finish: ends the transaction in the payment queue. It is called by ``ActivatedDelivery/finish()`` and nowhere else.
    public func delivery(
        of identifier: String, quantity: Int? = nil, proof: Data, finish: @escaping @Sendable () -> Void
    ) throws -> Delivery {
        let product = try Self.product(identifier)
        guard !proof.isEmpty, proof.count <= ClientLimit.proofBytes else {
            throw BackendClientError.invalid("A proof of payment has 1 to \(ClientLimit.proofBytes) bytes.")
        }
        return Delivery(client: self, product: product, quantity: quantity, proof: proof, finishing: finish)
    }

    /// Begins to bring what the server has recorded for the user already: on another device, after content was removed, or a new
    /// version. There is no transaction to finish.
    public func delivery(of identifier: String) throws -> Delivery {
        let product = try Self.product(identifier)
        return Delivery(client: self, product: product, quantity: nil, proof: nil, finishing: {})
    }

    /// What was kept for later by ``Delivery/keep()`` and not sent since. The transactions are finished.
    ///
    /// What was kept while somebody else was signed in is not among it: a purchase belongs to the user who first brings it.
    public var keptDeliveries: [Delivery] {
        let user = user?.identifier
        return folder.kept.compactMap { kept in
            guard kept.user == nil || kept.user == user else { return nil }
            return (try? Self.product(kept.product)).map {
                Delivery(client: self, product: $0, quantity: kept.quantity, proof: kept.proof, finishing: {})
            }
        }
    }

    /// The content of a product that is on this device and activated; nil if there is none.
    public func content(of identifier: String) -> StoredContent? { folder.activated(identifier).map(stored) }

    /// Whether the list names a newer version of a product's content than the one on this device. It is false while none is here.
    public func hasNewer(_ product: OfferedProduct) -> Bool {
        guard let here = content(of: product.productId.text), let newest = product.contentVersion else { return false }
        return newest != here.version
    }

    /// Removes the content of a product from this device, after a refund for example.
    public func removeContent(of identifier: String) throws {
        try folder.removeContent(try Self.product(identifier).text)
    }

    func stored(_ entry: ClientFolder.Entry) -> StoredContent {
        StoredContent(
            productID: entry.product, version: entry.version,
            file: URL(fileURLWithPath: folder.file(entry), isDirectory: false), bytes: entry.bytes)
    }
}

/// A purchase that is to be saved: by a download of its content, by a record on the server, or by keeping its proof for later.
public struct Delivery: Sendable {
    let client: BackendClient
    let product: ProductID
    let quantity: Int?
    let proof: Data?
    let finishing: @Sendable () -> Void

    /// The product.
    public var productID: String { product.text }

    /// Sends the proof and downloads the content, or goes on with a download that was interrupted.
    ///
    /// Returns when the file is on the disk, whole and with the digest that the server announced. A download that fails or is
    /// cancelled is retried by calling it again, without another charge.
    ///
    /// - Parameter progress: is told how far it has come.
    public func download(
        progress: @escaping @Sendable (DeliveryProgress) -> Void = { _ in }
    ) async throws -> SavedDelivery {
        var answer = try await client.contentAnswer(product, quantity: quantity, proof: proof)
        var changes = 0
        while true {
            do {
                let entry = try await client.fetch(answer, progress: progress)
                if let kept { try client.folder.forget(kept) }
                return SavedDelivery(delivery: self, entry: entry, recorded: [])
            } catch let refusal as RefusedDownload {
                // The server says why, or has another version by now.
                let next = try await client.contentAnswer(product)
                changes += 1
                guard next.path != answer.path, changes < 3 else { throw refusal.error }
                answer = next
            }
        }
    }

    /// Sends the proof, so that the server records what it pays for. This is for what has no content: what is used up, and
    /// subscriptions.
    public func record() async throws -> SavedDelivery {
        guard let proof else { throw BackendClientError.invalid("There is no proof to be recorded.") }
        let recorded = try await client.record(proof)
        if let kept { try client.folder.forget(kept) }
        return SavedDelivery(delivery: self, entry: nil, recorded: recorded)
    }

    /// Keeps the proof on this device for a later download, so that the transaction can be finished at once. Asks nobody.
    public func keep() throws -> SavedDelivery {
        guard let kept else { throw BackendClientError.invalid("There is no proof to be kept.") }
        try client.folder.keep(kept)
        return SavedDelivery(delivery: self, entry: nil, recorded: [])
    }

    private var kept: ClientFolder.KeptProof? {
        proof.map {
            ClientFolder.KeptProof(
                product: product.text, quantity: quantity, proof: $0, user: client.user?.identifier)
        }
    }
}

/// A purchase that is saved, and is to be activated.
public struct SavedDelivery: Sendable {
    let delivery: Delivery
    let entry: ClientFolder.Entry?
    /// What the server has recorded, where it was asked to.
    public let recorded: [RecordedPurchase]

    /// The product.
    public var productID: String { delivery.productID }
    /// The content, if it was downloaded.
    public var content: StoredContent? { entry.map(delivery.client.stored) }

    /// Activates what was bought: the app notes on its disk that the product is the user's. If that throws, nothing is activated.
    ///
    /// - Parameter body: may run again for the same purchase, after the app ended at a bad moment.
    public func activate(_ body: (SavedDelivery) throws -> Void) throws -> ActivatedDelivery {
        try body(self)
        if let entry { try delivery.client.folder.activate(entry) }
        return ActivatedDelivery(saved: self)
    }
}

/// A purchase that is activated, and whose transaction may be finished. Only ``SavedDelivery/activate(_:)`` makes it.
public struct ActivatedDelivery: Sendable {
    let saved: SavedDelivery

    /// Finishes the transaction.
    @discardableResult
    public func finish() -> FinishedDelivery {
        saved.delivery.finishing()
        return FinishedDelivery(productID: saved.productID, content: saved.content, recorded: saved.recorded)
    }
}

/// A purchase that is done with. Now is the time to show it, for example its first page.
public struct FinishedDelivery: Sendable {
    /// The product.
    public let productID: String
    /// The content; nil if it was kept for later, or there is none.
    public let content: StoredContent?
    /// What the server has recorded, where it was asked to.
    public let recorded: [RecordedPurchase]
}
