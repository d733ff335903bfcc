/// A product that the developer's server describes with each purchase. This store sells none.
public struct AdvancedCommerceProduct: Identifiable, Equatable, Hashable, Sendable {
    /// What names a product to the store.
    public typealias ID = String

    /// What names the product to the store.
    public let id: ID
    /// The kind of the product.
    public let type: Product.ProductType

    /// Fails with ``StoreKitError/unsupported``.
    public init(id: ID) async throws {
        throw StoreKitError.unsupported
    }

    /// Fails with ``StoreKitError/unsupported``.
    public func purchase(
        compactJWS: String, options: Set<PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        throw StoreKitError.unsupported
    }

    /// Something that is settled when such a product is bought.
    public struct PurchaseOption: Equatable, Hashable, Sendable {
        let option: Product.PurchaseOption

        /// Asks the app whether to go on if the storefront changes during the purchase.
        @preconcurrency public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(option: .onStorefrontChange(shouldContinuePurchase: shouldContinuePurchase))
        }
    }
}
