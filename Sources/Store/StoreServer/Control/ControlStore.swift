package import StoreDatabase
package import StoreModel
package import StoreService
package import StoreSigning

/// What the routes of the control interface stand on, of one environment.
package struct ControlStore: Sendable {
    package let environment: StoreEnvironment
    package let databases: StoreDatabases
    /// The numbers of the catalogue.
    package let catalogueNumbers: Numbers
    /// The environment at work; nil where nothing is sold, because nobody has opened it for that.
    package let sales: EnvironmentStore?
    /// Tells the time of the wall clock.
    package let now: @Sendable () -> Instant
    package let random = RandomBytes()
    /// What the environment signs with; nil where the process has no keys.
    package let profiles: ProfileIssuer?

    package init(
        _ environment: StoreEnvironment, _ databases: StoreDatabases, catalogueNumbers: Numbers,
        sales: EnvironmentStore? = nil, profiles: ProfileIssuer?, now: @escaping @Sendable () -> Instant
    ) {
        self.environment = environment
        self.databases = databases
        self.catalogueNumbers = catalogueNumbers
        self.sales = sales
        self.profiles = profiles
        self.now = now
    }
}
