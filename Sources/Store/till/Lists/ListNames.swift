import CommandOptions
import StoreHTTP
import StoreModel
import StoreServer

/// What people call the accounts and products of a list: addresses and titles, where the store answers numbers and ids.
struct ListNames {
    private var emails: [CustomerID: String] = [:]
    private var titles: [BundleID: [ProductID: String]] = [:]

    /// More accounts than this are read as a whole list, which takes fewer requests.
    private static let mostAlone = 20

    /// Asks a store for the names of accounts of an environment, and of the products of apps.
    init(
        of customers: Set<CustomerID>, productsOf apps: Set<BundleID>, in environment: StoreEnvironment,
        _ store: AdminConnection
    ) async throws {
        let path = SaleOptions.path(environment) + "/customers"
        let accounts: [CustomerReport]
        if customers.count > Self.mostAlone {
            accounts = try await store.all(path)
        } else {
            var found: [CustomerReport] = []
            for customer in customers {
                found.append(try await store.ask("GET", "\(path)/\(customer)", as: CustomerReport.self))
            }
            accounts = found
        }
        emails = Dictionary(accounts.map { ($0.customerId, $0.email) }) { first, _ in first }
        for app in apps {
            let products = try await store.products(of: app).compactMap { product in
                product.title.map { (product.productId, $0) }
            }
            titles[app] = Dictionary(products) { first, _ in first }
        }
    }

    /// The address of an account, or its number where it was deleted and has none any more.
    func account(_ id: CustomerID?) -> String {
        guard let id else { return "" }
        guard let email = emails[id], !email.isEmpty else { return "\(id), deleted" }
        return PrintableText(email, limit: 254).description
    }

    /// The title of a product, or its id where it has none; with how many of it, if more than one.
    func product(_ id: ProductID, of app: BundleID, quantity: Int = 1) -> String {
        let title = titles[app]?[id].flatMap { $0.isEmpty ? nil : $0 } ?? id.text
        return quantity == 1 ? title : "\(quantity) × \(title)"
    }
}

extension AdminConnection {
    /// Lists something of an environment: as JSON all that the store answers, else in a table, with names for numbers.
    ///
    /// - Parameters:
    ///   - place: the path below the interface of the environment.
    ///   - newestFirst: whether the store answers the newest first. People read it last.
    ///   - nothing: the sentence for a list without rows.
    ///   - named: the account and the app of a row, where the table names them.
    static func listSales<Row: Codable & Hashable & Sendable>(
        _ place: String, query: [String] = [], of type: Row.Type, _ arguments: ParsedArguments,
        _ context: CommandContext, newestFirst: Bool = false, nothing: String,
        named: (Row) -> (customer: CustomerID?, app: BundleID?), table: (ListNames) -> ListTable<Row>
    ) async throws {
        let isTable = ListOptions.areCommasWanted(arguments)
        let isForPeople = !arguments[StandardOptions.json]
        let (found, names) = try await withSales(arguments, context) { store in
            let found = try await store.all(SaleOptions.path(arguments) + place, query: query, of: type)
            let named = isForPeople && !isTable ? found.map(named) : []
            let names = try await ListNames(
                of: Set(named.compactMap(\.customer)), productsOf: Set(named.compactMap(\.app)),
                in: arguments[SaleOptions.environment], store)
            return (found, names)
        }
        guard isForPeople else { return try context.printJSON(Page(found)) }
        context.printList(newestFirst ? found.reversed() : found, as: table(names), arguments, nothing: nothing)
    }
}
