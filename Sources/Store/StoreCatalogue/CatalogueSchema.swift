package import StoreDatabase

/// The schema of the database that both environments share.
package enum CatalogueSchema {
    /// A migration that was released never changes; a later one follows it.
    package static let migrations = [
        Migration(1, "apps and products", CatalogueTables.statements + Numbers.tables),
        Migration(2, "prices in every storefront", CatalogueTables.basePrices),
        Migration(3, "teams and review", DeveloperTables.statements + CatalogueTables.review),
        Migration(4, "offers and files", CatalogueTables.offers),
        Migration(5, "sessions of the console", OperatorSessions.tables),
        Migration(6, "hosted content", WorkTable.tables + ContentTables.statements + BlobRemoval.tables),
        Migration(7, "pictures in review", CatalogueTables.imageChanges),
        Migration(8, "grace periods", CatalogueTables.gracePeriods),
        Migration(9, "keys of offers", OfferKeys.tables),
        Migration(10, "reviews of what is off the shelves", CatalogueTables.heldReviews),
        Migration(11, "secrets of each environment", SharedSecrets.tables),
        Migration(12, "damaged blobs", BlobDamage.tables),
        Migration(13, "keys of developers' servers", APIKeyTables.statements),
        Migration(14, "items", ItemTables.statements),
        Migration(15, "search", SearchTables.statements),
        Migration(16, "partner feeds", PartnerFeed.tables),
        Migration(17, "people", PeopleTables.statements),
        Migration(18, "drafts of what is live", DraftTables.statements),
        Migration(19, "words of names", NameWords.tables),
        Migration(20, "memberships that people accepted", PeopleTables.acceptance),
    ]
}
