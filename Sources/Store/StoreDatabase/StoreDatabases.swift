package import StoreModel

/// The three databases of a store. They have nothing in common: no transaction spans two, and each is snapshot, forked
/// and cleared by itself.
package struct StoreDatabases: Sendable {
    /// Apps, products, people of the console: what both environments sell.
    package let catalogue: any Database
    /// Customers and purchases with real money.
    package let production: any Database
    /// Customers and purchases of tests.
    package let sandbox: any Database

    package init(catalogue: any Database, production: any Database, sandbox: any Database) {
        self.catalogue = catalogue
        self.production = production
        self.sandbox = sandbox
    }

    /// The database of an environment.
    package subscript(environment: StoreEnvironment) -> any Database {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }

    /// Closes all three.
    package func close() async {
        await catalogue.close()
        await production.close()
        await sandbox.close()
    }
}

/// The schemas of the three databases of a store.
package struct StoreSchemas: Sendable {
    package let catalogue: Schema
    package let production: Schema
    package let sandbox: Schema

    package var all: [Schema] { [catalogue, production, sandbox] }

    /// The environments have the same tables, and nothing else in common.
    package init(catalogue: [Migration], environment: [Migration]) throws {
        self.catalogue = try Schema("catalogue", catalogue)
        production = try Schema("production", environment)
        sandbox = try Schema("sandbox", environment)
    }
}
