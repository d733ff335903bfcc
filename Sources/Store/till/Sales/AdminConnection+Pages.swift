import StoreModel
import StoreServer

/// A page of a list that goes on after its last one.
protocol ListPage: Decodable {
    associatedtype Item
    var items: [Item] { get }
    var hasMore: Bool { get }
    /// What the next page comes after.
    static func number(of item: Item) -> String
}

extension AdminConnection {
    /// Everything of a list, a page at a time.
    func all<Page: ListPage>(_ path: String, query: [String] = [], of type: Page.Type) async throws -> [Page.Item] {
        var (found, after): ([Page.Item], [String]) = ([], [])
        while true {
            let words = (query + after).joined(separator: "&")
            let page = try await ask("GET", words.isEmpty ? path : "\(path)?\(words)", as: type)
            found += page.items
            guard page.hasMore, let last = page.items.last else { return found }
            after = ["after=\(type.number(of: last))"]
        }
    }
}

extension CustomerList: ListPage {
    var items: [CustomerReport] { customers }
    static func number(of item: CustomerReport) -> String { item.customerId.description }
}

extension DeviceList: ListPage {
    var items: [DeviceReport] { devices }
    static func number(of item: DeviceReport) -> String { item.deviceId.description }
}

extension PurchaseList: ListPage {
    var items: [PurchaseReport] { purchases }
    static func number(of item: PurchaseReport) -> String { item.purchaseId.description }
}

extension TransactionList: ListPage {
    var items: [TransactionReport] { transactions }
    static func number(of item: TransactionReport) -> String { item.transactionId.description }
}

extension LedgerPage: ListPage {
    var items: [LedgerEntryReport] { entries }
    static func number(of item: LedgerEntryReport) -> String { String(item.entryId) }
}
