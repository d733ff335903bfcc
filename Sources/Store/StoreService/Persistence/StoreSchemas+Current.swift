package import StoreDatabase

extension StoreSchemas {
    /// The schemas of this version. A migration that was released never changes; a later one follows it.
    package static func current() throws -> StoreSchemas {
        try StoreSchemas(
            catalogue: [],
            environment: [Migration(1, "work and outbox", WorkTable.tables + Outbox.tables)])
    }
}
