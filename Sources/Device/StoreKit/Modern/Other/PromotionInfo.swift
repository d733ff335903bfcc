extension Product {
    /// Whether a product is promoted on the store's pages, for this device.
    public struct PromotionInfo: Equatable, Hashable, Sendable {
        /// What names the product to the store.
        public let productID: Product.ID
        /// Whether it is shown.
        public var visibility: Visibility

        package init(productID: Product.ID, visibility: Visibility) {
            self.productID = productID
            self.visibility = visibility
        }

        /// Whether a promoted product is shown.
        public enum Visibility: Int, Equatable, Hashable, Sendable {
            /// As the developer has set it for everyone.
            case appStoreConnectDefault = 0
            /// It is shown.
            case visible = 1
            /// It is not shown.
            case hidden = 2
        }
    }
}

// Which products are promoted on one device is not kept by this store, as SKProductStorePromotionController says too.
extension Product.PromotionInfo {
    /// Fails with ``StoreKitError/unsupported``.
    public func update() async throws {
        throw StoreKitError.unsupported
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static var currentOrder: [Product.PromotionInfo] {
        get async throws { throw StoreKitError.unsupported }
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func updateProductOrder(byID order: some Collection<Product.ID>) async throws {
        throw StoreKitError.unsupported
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func updateProductVisibility(_ visibility: Visibility, for productID: Product.ID) async throws {
        throw StoreKitError.unsupported
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func updateAll(_ promotions: some Collection<Product.PromotionInfo>) async throws {
        throw StoreKitError.unsupported
    }
}
