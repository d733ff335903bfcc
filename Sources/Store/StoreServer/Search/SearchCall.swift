import StoreCatalogue
import StoreHTTP
import StoreModel

/// What a call of the search API asks for.
///
/// A value that is none of those that a parameter takes is refused with the name by which the App Store's own answers call it.
struct SearchCall: Sendable {
    /// The limits of calls.
    enum Limits {
        /// Results of an answer unless it is said how many.
        static let standard = 50
        /// The name of a function that is to be called with the answer, in characters.
        static let callback = 128
        /// Numbers of one look-up.
        static let numbers = 200
    }

    /// What the calls of both paths may have.
    var storefront: StorefrontRecord
    /// In which texts are wanted; nil leaves it to the storefront.
    var language: String?
    /// The name of the function that the answer calls; nil for JSON alone.
    var callback: String?
    var limit = Limits.standard
    /// The names of members that an answer has: the present ones are 2.
    var version = 2
    var isNewestFirst = false
    var kinds: SearchKinds = []
    /// Whether kinds of results are named.
    var hasKinds = false
    // Of a search alone.
    var term: String?
    var attribute: SearchAttribute?
    var genre: Int?
    var allowsExplicit = true
    var offset = 0

    /// The names of values that are wrong.
    struct Fault: Error {
        let keys: [String]
    }

    init(_ query: QueryItems) throws(Fault) {
        let country = query["country"] ?? ""
        guard let storefront = Self.storefront(country.isEmpty ? "US" : country) else {
            throw Fault(keys: ["country"])
        }
        self.storefront = storefront
        var reading = Reading(query)
        callback = reading.value("callback", as: "callback") { Self.isFunction($0) ? $0 : nil }
        limit = reading.value("limit", as: "limit", Self.limit) ?? Limits.standard
        version = reading.value("version", as: "version") { ["1": 1, "2": 2][$0] } ?? 2
        allowsExplicit =
            reading.value("explicit", as: "explicit") { ["yes": true, "no": false][$0.lowercased()] } ?? true
        isNewestFirst =
            reading.value("sort", as: "sort") { ["recent": true, "popular": false][$0.lowercased()] } ?? false
        offset = reading.value("offset", as: "offset") { Int($0).flatMap { $0 >= 0 ? $0 : nil } } ?? 0
        genre = reading.value("genreId", as: "genreId") { Int($0) }
        language = query["lang"].flatMap(Self.language)
        let medium = reading.value("media", as: "mediaType", SearchMedium.named) ?? SearchMedium.named("all")
        if let medium { read(medium, &reading) }
        term = query["term"]
        guard reading.faults.isEmpty else { throw Fault(keys: reading.faults) }
    }

    /// Of several kinds of results, which are separated by commas, all are found.
    private mutating func read(_ medium: SearchMedium, _ reading: inout Reading) {
        let named = reading.value("entity", as: "resultEntity") { text -> [SearchMedium.Entity]? in
            let entities = text.split(separator: ",").map { medium.entity(String($0)) }
            return entities.contains { $0 == nil } || entities.isEmpty ? nil : entities.compactMap(\.self)
        }
        hasKinds = named != nil
        let entities = named ?? [medium.standardEntity]
        kinds = entities.reduce(into: []) { $0.formUnion($1.kinds) }
        if entities.count == 1, let own = entities.first?.genre { genre = genre ?? own }
        attribute = reading.value("attribute", as: "attributeType") { text in
            medium.attributes.first { $0.rawValue.lowercased() == text.lowercased() }
        }
    }

    private static func storefront(_ code: String) -> StorefrontRecord? {
        let code = code.uppercased()
        return StorefrontRecord.storefront(alpha2: code) ?? StorefrontRecord.storefront(alpha3: code)
    }

    /// More than an answer may have is as many as it may have.
    private static func limit(_ text: String) -> Int? {
        guard let number = Int(text), number >= 1 else { return nil }
        return min(number, SearchLimits.results)
    }

    /// `en_us` and its like, as a tag; what has another form leaves the language to the storefront.
    private static func language(_ text: String) -> String? {
        let parts = text.split(whereSeparator: { $0 == "_" || $0 == "-" })
        guard parts.count <= 3, parts.allSatisfy({ $0.utf8.count <= 8 && $0.allSatisfy { $0.isASCII && $0.isLetter } })
        else { return nil }
        return parts.isEmpty ? nil : parts.joined(separator: "-")
    }

    /// The name of a function, or of one in an object: nothing else may come before the parenthesis.
    private static func isFunction(_ name: String) -> Bool {
        name.utf8.count <= Limits.callback
            && name.wholeMatch(of: #/[A-Za-z_$][A-Za-z0-9_$]*(?:\.[A-Za-z_$][A-Za-z0-9_$]*)*/#) != nil
    }

    /// Reads parameters and keeps the names of those that are wrong. One that is empty counts as one that is missing.
    private struct Reading {
        private let query: QueryItems
        private(set) var faults: [String] = []

        init(_ query: QueryItems) {
            self.query = query
        }

        mutating func value<Value>(_ name: String, as key: String, _ read: (String) -> Value?) -> Value? {
            guard let text = query[name], !text.isEmpty else { return nil }
            guard let value = read(text) else {
                faults.append(key)
                return nil
            }
            return value
        }
    }
}

/// What a look-up names.
struct LookupCall: Sendable {
    var storeIDs: [Int64] = []
    var bundles: [BundleID] = []
    var books: [String] = []
    var trade: [String] = []
    /// What was given in the place of a number and is none.
    var strangers: [String] = []

    /// Numbers that nothing in this store has, such as those of All Music Guide, are passed over.
    init(_ query: QueryItems) {
        for text in Self.list(query["id"]) {
            if let number = try? ItemID(parsing: text).number {
                storeIDs.append(number)
            } else {
                strangers.append(text)
            }
        }
        bundles = Self.list(query["bundleId"]).compactMap { BundleID($0) }
        books = Self.list(query["isbn"]).map(Self.digits)
        trade = Self.list(query["upc"]).map(Self.digits)
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").prefix(SearchCall.Limits.numbers).map {
            String($0.drop { $0 == " " })
        }
    }

    private static func digits(_ text: String) -> String { text.filter { $0 != "-" && $0 != " " } }
}
