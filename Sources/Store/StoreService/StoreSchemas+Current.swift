import StoreCatalogue
package import StoreDatabase

extension StoreSchemas {
    /// The schemas of this version. A migration that was released never changes; a later one follows it.
    package static func current() throws -> StoreSchemas { try made.get() }

    private static let made = Result {
        try StoreSchemas(
            catalogue: CatalogueSchema.migrations,
            environment: [
                Migration(1, "work and outbox", WorkTable.tables + Outbox.tables),
                Migration(
                    2, "customers and purchases",
                    Numbers.tables + CustomerTables.statements + PurchaseTables.statements + DeviceHold.tables
                        + MoneyTables.statements),
                Migration(3, "testers who became customers", CustomerTables.spentTesters),
                Migration(4, "steps of apps", AppSteps.tables),
                Migration(5, "promises of hosted content", ContentDelivery.tables),
                Migration(6, "subscriptions", SubscriptionTables.statements),
                Migration(7, "families and approvals", FamilyTables.statements),
                Migration(8, "clocks", ClockTables.statements),
                Migration(9, "offers", OfferTables.statements),
                Migration(10, "refund requests", RefundTables.statements),
                Migration(11, "figures of subscriptions", SubscriptionTables.figures),
                Migration(12, "codes of all apps", OfferTables.byCode),
                Migration(13, "who made an order", MoneyTables.actors),
                Migration(14, "who gave money back", RefundTables.actors),
                Migration(15, "lives of databases", MoneyTables.lives),
                Migration(16, "wrong guesses", GuessCounts.tables),
                Migration(17, "charges on pages", MoneyTables.pages),
                Migration(18, "revoked certificates", KeyRevocations.tables),
                Migration(19, "plans that run beside a paid one", SubscriptionTables.running),
                Migration(
                    20, "what developers' servers ask and are told",
                    NotificationTables.statements + RevisionTables.statements + ExtensionTables.statements
                        + FaultTables.statements + FamilyTables.consents + PurchaseTables.eventsOfTransactions),
                Migration(21, "turns of notifications", NotificationTables.turns),
                Migration(22, "notifications in the order of writing", NotificationTables.lists),
                Migration(23, "customers of pages", StorefrontTables.statements),
                Migration(24, "partners and referrals", PartnerTables.statements),
                Migration(25, "visits from apps", VisitTables.statements),
                Migration(26, "books by account and day", MoneyTables.reports),
                Migration(27, "words of names", NameWords.tables),
                Migration(28, "requests of all servers", SharedRequests.statements),
            ])
    }
}
