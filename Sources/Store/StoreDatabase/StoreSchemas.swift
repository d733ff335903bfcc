/// The schemas of the three databases of a store.
package struct StoreSchemas: Sendable {
    package let catalogue: Schema
    package let production: Schema
    package let sandbox: Schema

    /// The environments have the same tables, and nothing else in common.
    package init(catalogue: [Migration], environment: [Migration]) throws {
        self.catalogue = try Schema("catalogue", catalogue)
        production = try Schema("production", environment)
        sandbox = try Schema("sandbox", environment)
    }
}
