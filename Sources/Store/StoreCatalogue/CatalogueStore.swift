package import StoreDatabase
package import StoreModel

/// The catalogue of a store at work: what its use cases are given.
package struct CatalogueStore: Sendable {
    package let database: any Database
    package let numbers: Numbers
    /// Tells the time of the wall clock.
    package let now: @Sendable () -> Instant

    /// - Parameter numbers: of this database, one value for the whole process.
    package init(_ database: any Database, _ numbers: Numbers, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.numbers = numbers
        self.now = now
    }

    /// What somebody does with the catalogue.
    ///
    /// - Parameters:
    ///   - request: the id of the request; nil for what no request brings about.
    ///   - commerce: the clock of the environment whose prices are shown; that of the wall without one.
    package func editing(
        by actor: Actor, request: String?, commerce: (@Sendable () -> Instant)? = nil
    ) -> CatalogueEditing {
        CatalogueEditing(database, by: actor, request: request, numbers: numbers, now: now, commerce: commerce)
    }

    /// Who shows a token of operators, and notes that it was used; nil if it is none that is valid now.
    package func actor(showing token: String) async throws -> Actor? {
        try await OperatorTokens.open(with: token, at: now(), of: database).map { Actor($0) }
    }
}
