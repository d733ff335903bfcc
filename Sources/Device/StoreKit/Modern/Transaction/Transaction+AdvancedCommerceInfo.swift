public import Foundation

extension Transaction {
    /// What a transaction says of products that the developer's server describes. Till sells none, so that it is nil; what
    /// another store wrote is read.
    public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
        /// What the customer reads of the products.
        public let description: String?
        /// The name that the customer reads.
        public let displayName: String?
        /// The tax, as it was estimated.
        public let estimatedTax: Decimal?
        /// What was bought.
        public let items: [Item]
        /// How long a period of the subscription is.
        public let period: Product.SubscriptionPeriod?
        /// What the developer's server calls the request.
        public let requestReferenceID: String
        /// The kind of goods, for the tax.
        public let taxCode: String?
        /// The price without the tax.
        public let taxExclusivePrice: Decimal?
        /// The rate of the tax.
        public let taxRate: Decimal?
    }
}

extension Transaction.AdvancedCommerceInfo {
    /// A product that was bought.
    public struct Item: Equatable, Hashable, Sendable {
        /// What it is.
        public let details: Details
        /// What of it was refunded.
        public let refunds: [Transaction.AdvancedCommerceInfo.Refund]?
        /// When it was taken back.
        public let revocationDate: Date?

        /// What a product is.
        public struct Details: Equatable, Hashable, Sendable {
            /// What the customer reads of the product.
            public let description: String
            /// The name that the customer reads.
            public let displayName: String
            /// The offer that applied.
            public let offer: Offer?
            /// The price.
            public let price: Decimal
            /// What the developer's server calls the product.
            public let sku: String

            /// An offer that applied to a product.
            public struct Offer: Equatable, Hashable, Sendable {
                /// How long a period of it is.
                public let period: Product.SubscriptionPeriod?
                /// How many periods it lasts.
                public let periodCount: Int
                /// The price of a period.
                public let price: Decimal
                /// Why it was given.
                public let reason: String
            }
        }
    }

    /// A refund of a product.
    public struct Refund: Equatable, Hashable, Sendable {
        /// How much was refunded.
        public let amount: Decimal
        /// When.
        public let date: Date
        /// Why.
        public let reason: String
        /// How.
        public let type: String
    }
}
