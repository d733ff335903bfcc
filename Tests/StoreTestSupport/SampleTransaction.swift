package import StoreModel
package import StoreService

/// Transactions to begin with.
package enum SampleTransaction {
    /// A consumable for 1.99 dollars, the first transaction of customer 7 in app 42.
    package static func consumable(_ number: Int64 = 1) throws -> StoreTransaction {
        let id = try id(number)
        return try StoreTransaction(
            id: id, originalID: id, orderID: SaleID(number: number), customerID: CustomerID(number: 7),
            deviceID: DeviceID(number: 3), appID: AppID(number: 42), bundleID: BundleID(parsing: "com.example.monkey"),
            itemID: ItemID(number: 1001), productID: ProductID(parsing: "com.example.monkey.coins"), kind: .consumable,
            quantity: 1, purchaseDate: Instant(millisecondsSinceEpoch: 1_800_000_000_123),
            originalPurchaseDate: Instant(millisecondsSinceEpoch: 1_800_000_000_123),
            storefront: StorefrontCode(rawValue: "USA"), price: Money(minorUnits: 199, currency: .usd))
    }

    package static func id(_ number: Int64) throws -> TransactionID {
        try TransactionID(number: TransactionID.numbers(in: .sandbox).lowerBound + number)
    }

    /// The first period of a subscription, with every column that there is.
    package static func subscription(_ number: Int64) throws -> StoreTransaction {
        var transaction = try consumable(number)
        transaction.itemID = try ItemID(number: 1002)
        transaction.productID = try ProductID(parsing: "com.example.monkey.monthly")
        transaction.kind = .autoRenewable
        transaction.expiresDate = Instant(millisecondsSinceEpoch: 1_802_678_400_123)
        transaction.webOrderLineItemID = try WebOrderLineItemID(
            number: WebOrderLineItemID.numbers(in: .sandbox).lowerBound + number)
        transaction.groupID = try SubscriptionGroupID(parsing: "20001")
        transaction.accountToken = try AppAccountToken(parsing: "00000000-0000-4000-8000-0000000000ff")
        return transaction
    }
}
