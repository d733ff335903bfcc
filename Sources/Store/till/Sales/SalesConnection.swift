import CommandOptions
import StoreCatalogue
import StoreHTTP
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreSigning

extension AdminConnection {
    /// Runs a closure with a store that sells: one elsewhere that the arguments name, through the process that has it open,
    /// or in this process, with keys and processors.
    static func withSales<Result>(
        _ arguments: ParsedArguments, _ context: CommandContext, _ body: (AdminConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await openSales(arguments, context)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    /// The account that a command names, or the only one of its environment.
    func customer(_ arguments: ParsedArguments) async throws -> String {
        if let named = arguments[SaleOptions.onlyCustomer] { return named }
        let environment = arguments[SaleOptions.environment]
        let word = environment == .sandbox ? "tester" : "customer"
        let found = try await ask(
            "GET", "\(SaleOptions.path(environment))/customers?limit=2", as: Page<CustomerReport>.self
        ).items
        guard let only = found.first else {
            throw CommandFailure(.inputMissing, "there is no \(word) yet; to make one: till \(word)s add EMAIL")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                .usage, "there are several \(word)s; say which by --customer, such as --customer \(only.email)")
        }
        return "\(only.customerId)"
    }

    /// The app that a command names, or the only one that has a product.
    func app(_ named: BundleID?, having product: String) async throws -> BundleID {
        if let named { return named }
        let apps = try await apps().map(\.bundleId)
        if apps.count == 1 { return apps[0] }
        var found: [BundleID] = []
        for app in apps {
            do {
                let path = "\(CatalogueOptions.path(app))/products/\(SaleOptions.escaped(product))"
                _ = try await ask("GET", path, as: CatalogueDetailsAnswer.self)
                found.append(app)
            } catch let failure as CommandFailure where failure.exitCode == .inputMissing {
                continue
            }
        }
        let name = PrintableText(product, limit: 200)
        guard let only = found.first else {
            throw CommandFailure(.inputMissing, "no app has a product \(name); all there are: till products list")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                .usage,
                "several apps have a product \(name); say which by --app: "
                    + found.map(\.text).joined(separator: ", "))
        }
        return only
    }

    private static func openSales(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> AdminConnection {
        if let store = context.store { return store }
        if arguments.declares(ContentStore.address),
            let elsewhere = try RemoteStore.connection(arguments, context)
        {
            return elsewhere
        }
        let directory = try DataDirectory.ofStore(arguments)
        let upkeep = UpkeepSettings(arguments, context)
        let passphrase = try Passphrase.fromFile(arguments)
        return try await open(directory) { lock in
            let keys = KeyStore(dataDirectory: directory.path)
            var loaded: [StoreEnvironment: EnvironmentKeys] = [:]
            for environment in StoreEnvironment.allCases {
                loaded[environment] = try keys.load(environment, passphrase: passphrase)
            }
            let store = try await OpenStore.open(directory, upkeep.database, holding: lock)
            do {
                let processors = try StoreProcessors(directory, production: .none, logFormat: .text, log: upkeep.log)
                let environments = try StoreEnvironments(
                    store.databases, keys: loaded,
                    from: KeySource(directory, passphrase: passphrase, upkeep.database, isServing: false),
                    processors: processors, policy: PolicyOptions.policy(arguments), log: upkeep.log)
                try await environments.refreshKeys()
                let (blobs, intake) = ContentIntake.here(store, directory, arguments, context, upkeep.log)
                let checks = ServiceChecks(
                    databases: store.databases, alarm: store.alarm, folder: directory.path, environments: environments)
                let control = StoreControl(
                    store, directory, passphrase: passphrase, blobs: blobs, content: intake,
                    sales: { environments[$0] },
                    system: try StoreSystem(arguments, directory, passphrase, checks, upkeep, at: context.now),
                    address: { _ in nil })
                return (
                    try upkeep.service(directory, control.owned),
                    {
                        await processors.stop()
                        await store.close()
                    }
                )
            } catch {
                await store.close()
                throw error
            }
        }
    }
}
