import Foundation
import StoreBackendClient
import StoreModel

/// What the person has, in a file of the app's own: it is there without a network. Whatever is in it can be had again from the
/// server.
struct Rack {
    /// What is the person's.
    struct Possession: Codable, Hashable {
        /// When the period of a subscription ends.
        var expires: Instant?
        /// The first transaction of a subscription.
        var subscription: TransactionID?
        /// Whether the server says that it holds.
        var isInForce = true
    }

    private let file: URL
    private(set) var possessions: [String: Possession]

    init(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("rack.json")
        possessions =
            FileManager.default.fileExists(atPath: file.path)
            ? try JSONDecoder().decode([String: Possession].self, from: Data(contentsOf: file)) : [:]
    }

    func has(_ product: String) -> Bool { possessions[product]?.isInForce ?? false }

    /// Adds what was bought, as the server has recorded it.
    mutating func add(_ saved: SavedDelivery) throws {
        let recorded = saved.recorded.last { $0.productId.text == saved.productID }
        // What begins later is not there yet.
        guard saved.recorded.isEmpty || recorded != nil else { return }
        guard recorded?.state != .belongsToAnother else { return }
        var possession = Possession(expires: recorded?.expires)
        if possession.expires != nil { possession.subscription = recorded?.originalTransactionId }
        try keep(possessions.merging([saved.productID: possession]) { $1 })
    }

    /// Takes over what the server says; what it does not name is not the person's, but for what it was not told of yet.
    mutating func update(_ entitlements: [UserEntitlement], keeping untold: Set<String>) throws {
        var next = possessions.filter { untold.contains($0.key) }
        // The newest come first.
        for entitlement in entitlements.reversed() {
            next[entitlement.productId.text] = Possession(
                expires: entitlement.expires,
                subscription: entitlement.expires == nil ? nil : entitlement.originalTransactionId,
                isInForce: entitlement.isInForce)
        }
        try keep(next)
    }

    /// The person got the money back.
    mutating func remove(_ product: String) throws {
        try keep(possessions.filter { $0.key != product })
    }

    private mutating func keep(_ next: [String: Possession]) throws {
        guard next != possessions else { return }
        try JSONEncoder().encode(next).write(to: file, options: .atomic)
        possessions = next
    }
}
