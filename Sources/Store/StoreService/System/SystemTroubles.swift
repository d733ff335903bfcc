import StoreModel

/// What went wrong lately for a reason of the store's own.
package enum SystemTroubles {
    /// How many requests are named.
    package static let most = 20

    /// The newest requests that were answered with 5xx, the newest first.
    package static func requests(in history: RequestHistory?) async -> [RequestHistory.Entry] {
        await history?.list(limit: most) { $0.status >= 500 } ?? []
    }
}
