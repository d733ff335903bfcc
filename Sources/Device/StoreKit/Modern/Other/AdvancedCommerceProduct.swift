/// A product that the developer's server describes with each purchase. This store sells none.
public struct AdvancedCommerceProduct: Identifiable, Equatable, Hashable, Sendable {
    /// What names a product to the store.
    public typealias ID = String
    /// The kinds of products.
    public typealias ProductType = Product.ProductType
    /// What became of a purchase.
    public typealias PurchaseResult = Product.PurchaseResult

    /// What names the product to the store.
    public let id: ID
    /// The kind of the product.
    public let type: ProductType

    /// Fails with ``StoreKitError/unsupported``.
    public init(id: ID) async throws {
        throw StoreKitError.unsupported
    }

    /// Fails with ``StoreKitError/unsupported``.
    public func purchase(
        compactJWS: String, options: Set<PurchaseOption> = []
    ) async throws -> PurchaseResult {
        throw StoreKitError.unsupported
    }

    /// The newest transaction of the product, whatever became of it.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// Every transaction of the product.
    public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }

    /// What the customer has of the product now.
    public var currentEntitlements: Transaction.Transactions { Transaction.currentEntitlements(for: id) }

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

extension AdvancedCommerceProduct: CustomDebugStringConvertible {
    /// The name of the product with its kind.
    public var debugDescription: String { "\(id) (\(type.rawValue))" }
}

extension AdvancedCommerceProduct.PurchaseOption: CustomDebugStringConvertible {
    /// The option in words.
    public var debugDescription: String { option.debugDescription }
}

/// Why a purchase of an ``AdvancedCommerceProduct`` was refused. This store sells none, so nothing fails with it.
public struct InvalidRequestError: Error, Sendable {
    /// What the refusal is known by.
    public let code: Int64
    /// What is wrong with the request.
    public let message: String
}
