package import Foundation

/// A purchase that a person begins outside an app: `till device promote` leaves it, the app's StoreKit takes it.
///
/// ```json
/// {"productId": "com.example.monkeycredits.credits5"}
/// ```
package struct PromotedPurchase: Codable, Hashable, Sendable {
    package var productId: ProductID

    package init(_ productId: ProductID) {
        self.productId = productId
    }

    /// The most bytes of one that is kept.
    package static let longestFile = 4 * 1024

    /// Reads one as it is kept; nil for what is none.
    package init?(_ data: Data) {
        guard data.count <= Self.longestFile, let read = try? JSONDecoder().decode(Self.self, from: data) else {
            return nil
        }
        self = read
    }
}
