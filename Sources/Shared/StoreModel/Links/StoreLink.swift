/// A link to a page of the store: which item or artist it opens, and in which country.
///
/// Links have many forms, and one of them is canonical: the one that ``path`` makes. Every form is read, whatever host
/// it has, because a store of one's own has a host of its own. What affiliates add (`at`, `ct`, `uo`…) is passed over.
package struct StoreLink: Hashable, Sendable {
    /// The most bytes of a link that is read.
    package static let longest = 2048

    /// The country, two lowercase letters as in the path; nil if the link leaves it to the reader.
    package var country: String?
    /// What the page shows; nil if the link does not say.
    package var page: StorePage?
    /// The name in the link, which only people read; empty if there is none.
    package var slug: String
    /// The number of the item, or of the artist.
    package var storeID: Int64
    /// The one song of the album or episode of the season that is meant.
    package var item: Int64?
    /// The number of the medium that the link came with (`mt`), 8 for apps.
    package var medium: Int?

    /// The link of a page.
    ///
    /// - Parameters:
    ///   - page: what it shows.
    ///   - name: the name of the item or artist, of which the slug is made.
    ///   - storeID: the number of the item or artist.
    ///   - item: the song of the album or the episode of the season that is meant.
    ///   - storefront: the country; nil leaves it to the reader.
    package init(
        _ page: StorePage, named name: String, storeID: Int64, item: Int64? = nil, in storefront: StorefrontRecord?
    ) {
        country = storefront?.alpha2.lowercased()
        self.page = page
        slug = StoreSlug.of(name)
        self.storeID = storeID
        self.item = item
        medium = page.medium
    }

    /// The storefront of the country; nil if the link has no country, or one without a storefront.
    package var storefront: StorefrontRecord? {
        country.flatMap { StorefrontRecord.storefront(alpha2: $0.uppercased()) }
    }

    /// The canonical path of the page with its query, in ASCII: `/us/app/ibooks/id364709193?mt=8`.
    ///
    /// A link that does not say what its page shows has the path of an app, which leads on to the page that it is.
    package var path: String {
        let page = page ?? .app
        var path = country.map { "/\($0)" } ?? ""
        path += "/\(page)"
        if !slug.isEmpty { path += "/" + StoreSlug.escaped(slug) }
        path += "/id\(storeID)"
        if let item { return path + "?i=\(item)" }
        // Clients of the time ask it of links to apps; other pages are told apart by their paths.
        return page == .app ? path + "?mt=8" : path
    }

    /// The whole address of the page in a store.
    package func address(in store: StoreAddress) -> String { store.description + path }
}

extension StoreLink {
    private static let subject = "store link"
    private static let schemes: Set<String> = ["http", "https", "itms", "itms-apps", "itms-appss", "itms-books"]

    /// Reads a link of any form: with the schemes of browsers and of the store's apps, with or without host, country,
    /// name and kind of page, and the old `viewSoftware?id=…`.
    ///
    /// A bundle id in the place of the number is named as such in the error.
    package init(parsing text: some StringProtocol) throws(InvalidValue) {
        guard text.utf8.count <= Self.longest else {
            throw InvalidValue(
                .outOfRange, subject: Self.subject, value: text, rule: "has at most \(Self.longest) bytes")
        }
        let link = text.prefix { $0 != "#" }
        let parts = try Self.withoutHost(link).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = Self.queryItems(parts.count == 2 ? parts[1] : "")
        var segments = (parts.first ?? "").split(separator: "/")[...]
        if let first = segments.first, first.utf8.count == 2, first.utf8.allSatisfy({ $0.isASCIILetter }) {
            country = first.lowercased()
            segments.removeFirst()
        }
        (page, slug) = (nil, "")
        if let first = segments.first, let page = StorePage(segment: first) {
            self.page = page
            segments.removeFirst()
        } else if let last = segments.last, let page = StorePage(action: last) {
            self.page = page
            segments = []
        }
        item = query["i"].flatMap(Self.number)
        medium = query["mt"].flatMap { Int($0) }
        if page == nil { page = medium.flatMap(StorePage.init(medium:)) }
        let numbered = segments.lastIndex { $0.hasPrefix("id") && Self.number($0.dropFirst(2)) != nil }
        if let numbered, let number = Self.number(segments[numbered].dropFirst(2)) {
            storeID = number
            segments = segments[..<numbered]
        } else if let number = query["id"].flatMap(Self.number) {
            storeID = number
        } else if page != nil, let number = segments.last.flatMap(Self.number) {
            storeID = number
            segments.removeLast()
        } else {
            throw Self.withoutNumber(text, segments: segments, id: query["id"])
        }
        if let name = segments.last { slug = StoreSlug.unescaped(name) }
    }

    /// The number of an item, from a link or from the number itself, as people paste them.
    package static func storeID(in text: some StringProtocol) throws(InvalidValue) -> Int64 {
        if let number = number(text) { return number }
        guard text.contains("/") else { return try ItemID(parsing: text).number }
        return try StoreLink(parsing: text).storeID
    }

    /// The path and the query of a link.
    private static func withoutHost(_ link: some StringProtocol) throws(InvalidValue) -> Substring {
        let link = Substring(link)
        if link.first == "/" { return link }
        guard let mark = link.firstIndex(of: ":"), link[mark...].hasPrefix("://") else {
            let host = link.prefix { $0 != "/" && $0 != "?" }
            guard host.contains("."), host.endIndex < link.endIndex else {
                throw withoutNumber(link, segments: [host], id: nil)
            }
            return link[host.endIndex...]
        }
        guard schemes.contains(link[..<mark].lowercased()) else {
            let known = schemes.sorted().joined(separator: ", ")
            throw InvalidValue(.unknown, subject: subject, value: link, rule: "has one of the schemes \(known)")
        }
        return link[mark...].dropFirst(3).drop { $0 != "/" && $0 != "?" }
    }

    /// The parameters of a query; of two with one name the first counts.
    private static func queryItems(_ query: Substring) -> [Substring: Substring] {
        let items = query.split(separator: "&").map { (item: Substring) -> (Substring, Substring) in
            let mark = item.firstIndex(of: "=") ?? item.endIndex
            return (item[..<mark], item[mark...].dropFirst())
        }
        return Dictionary(items, uniquingKeysWith: { first, _ in first })
    }

    /// The number of an item: decimal, above 0, without leading zeros.
    private static func number(_ text: some StringProtocol) -> Int64? {
        var reader = TextReader(text)
        guard let number = reader.number(), reader.isAtEnd, number > 0 else { return nil }
        return number
    }

    /// The error for a link in which no number is.
    private static func withoutNumber(
        _ text: some StringProtocol, segments: ArraySlice<Substring>, id: Substring?
    ) -> InvalidValue {
        let isBundleID = [segments.last, id].contains { word in
            word.map { $0.contains(".") && (try? BundleID(parsing: $0)) != nil } ?? false
        }
        return InvalidValue(
            subject: subject, value: text,
            rule: isBundleID
                ? "names an item by its number, as in id364709193; this names a bundle id, and the number stands "
                    + "beside it in the console"
                : "has the number of an item behind id, as in /us/app/ibooks/id364709193?mt=8")
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
