import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Reads the query of a request of the App Store Server API, with the code of each value that is wrong.
///
/// A list is a name that stands several times, and a value of true or false is written in any case, as clients in Python do.
struct ServerQuery {
    private let items: QueryItems

    init(_ request: HTTPRequest) {
        items = request.target.query
    }

    init(_ items: QueryItems) {
        self.items = items
    }

    /// The text of a name that stands once at most.
    func text(_ name: String, else code: ServerAPIError.Code) throws(ServerAPIError) -> String? {
        let values = items.values(name)
        guard values.count < 2 else { throw ServerAPIError(code, "\(name) stands there \(values.count) times") }
        return values.first
    }

    func moment(_ name: String, else code: ServerAPIError.Code) throws(ServerAPIError) -> Instant? {
        guard let text = try text(name, else: code) else { return nil }
        guard let number = Int64(text), text.utf8.first != UInt8(ascii: "+"), Self.times.contains(number) else {
            throw ServerAPIError(code, "\(name): \(text) is no time in milliseconds since 1970")
        }
        return Instant(millisecondsSinceEpoch: number)
    }

    /// Until the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    func flag(_ name: String, else code: ServerAPIError.Code) throws(ServerAPIError) -> Bool? {
        guard let text = try text(name, else: code) else { return nil }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default: throw ServerAPIError(code, "\(name): \(text) is neither true nor false")
        }
    }

    /// A word of those that there are.
    func word<Value>(
        _ name: String, among words: KeyValuePairs<String, Value>, else code: ServerAPIError.Code
    ) throws(ServerAPIError) -> Value? {
        guard let text = try text(name, else: code) else { return nil }
        return try Self.word(text, name, words, code)
    }

    func words<Value: Hashable>(
        _ name: String, among words: KeyValuePairs<String, Value>, else code: ServerAPIError.Code
    ) throws(ServerAPIError) -> Set<Value> {
        var found: Set<Value> = []
        for text in items.values(name) { found.insert(try Self.word(text, name, words, code)) }
        return found
    }

    private static func word<Value>(
        _ text: String, _ name: String, _ words: KeyValuePairs<String, Value>, _ code: ServerAPIError.Code
    ) throws(ServerAPIError) -> Value {
        guard let known = words.first(where: { $0.key == text }) else {
            let all = words.map(\.key).joined(separator: ", ")
            throw ServerAPIError(code, "\(name): \(text) is none of \(all)")
        }
        return known.value
    }

    /// The ids of a name that may stand several times.
    func ids<ID: TextIdentifier>(
        _ name: String, of type: ID.Type = ID.self, else code: ServerAPIError.Code
    ) throws(ServerAPIError) -> Set<ID> {
        var found: Set<ID> = []
        for text in items.values(name) {
            guard let id = ID(text) else { throw ServerAPIError(code, "\(name): \(text) is no \(ID.subject)") }
            found.insert(id)
        }
        return found
    }
}

extension HistoryFilter {
    /// What a request for a customer's history asks for.
    ///
    /// - Parameter isFirstVersion: whether it asks as the first version of the interface had it.
    init(_ query: ServerQuery, isFirstVersion: Bool) throws(ServerAPIError) {
        self.init()
        if try query.text("excludeRevoked", else: .invalidExcludeRevoked) != nil {
            throw ServerAPIError(.invalidExcludeRevoked, "excludeRevoked is called revoked since version 1.5")
        }
        start = try query.moment("startDate", else: .invalidStartDate)
        end = try query.moment("endDate", else: .invalidEndDate)
        if let start, let end, start >= end {
            throw ServerAPIError(
                .startDateAfterEndDate, "startDate \(start.rfc3339) is not before endDate \(end.rfc3339)")
        }
        products = try query.ids("productId", else: .invalidProductID)
        kinds = try query.words("productType", among: Self.kindWords, else: .invalidProductType)
        groups = try query.ids("subscriptionGroupIdentifier", else: .invalidSubscriptionGroup)
        ownership = try query.word("inAppOwnershipType", among: Self.ownershipWords, else: .invalidOwnershipType)
        isRevoked = try query.flag("revoked", else: .invalidRevoked)
        isDescending =
            try query.word("sort", among: ["ASCENDING": false, "DESCENDING": true], else: .invalidSort) ?? false
        leavesOutFinishedConsumables = isFirstVersion
    }

    static let kindWords: KeyValuePairs<String, ProductKind> = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewing, "CONSUMABLE": .consumable,
        "NON_CONSUMABLE": .nonConsumable,
    ]

    static let ownershipWords: KeyValuePairs<String, OwnershipType> = [
        "PURCHASED": .purchased, "FAMILY_SHARED": .familyShared,
    ]
}
