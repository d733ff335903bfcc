package import StoreDatabase

extension StoreSchemas {
    /// The schemas of this version. A migration that was released never changes; a later one follows it.
    package static func current() throws -> StoreSchemas {
        try StoreSchemas(
            catalogue: [
                Migration(1, "apps and products", CatalogueTables.statements),
                Migration(2, "prices in every storefront", CatalogueTables.basePrices),
                Migration(3, "teams and review", DeveloperTables.statements + CatalogueTables.review),
                Migration(4, "offers and files", CatalogueTables.offers),
                Migration(5, "sessions of the console", OperatorSessions.tables),
                Migration(6, "hosted content", WorkTable.tables + ContentTables.statements + BlobRemoval.tables),
                Migration(7, "pictures in review", CatalogueTables.imageChanges),
                Migration(8, "grace periods", CatalogueTables.gracePeriods),
                Migration(9, "keys of offers", OfferTables.keys),
            ],
            environment: [
                Migration(1, "work and outbox", WorkTable.tables + Outbox.tables),
                Migration(
                    2, "customers and purchases",
                    CustomerTables.statements + PurchaseTables.statements + Holding.tables
                        + MoneyTables.statements),
                Migration(3, "testers who became customers", CustomerTables.spentTesters),
                Migration(4, "steps of apps", AppSteps.tables),
                Migration(5, "promises of hosted content", ContentTables.promises),
                Migration(6, "subscriptions", SubscriptionTables.statements),
                Migration(7, "families and approvals", FamilyTables.statements),
                Migration(8, "clocks", ClockTables.statements),
                Migration(9, "offers", OfferTables.statements),
                Migration(10, "refund requests", RefundTables.statements),
                Migration(11, "figures of subscriptions", SubscriptionTables.figures),
                Migration(12, "codes of all apps", OfferTables.byCode),
            ])
    }
}
