package import StoreDatabase
package import StoreModel
package import StoreRules

/// A product as one customer can buy it: in the language and the currency of the storefront.
package struct ProductListing: Hashable, Sendable {
    package let product: CatalogueProduct
    package let title: String
    package let description: String
    /// The language of both.
    package let language: String
    /// What one of it costs.
    package let price: Money
    /// Of a subscription that renews: what customers read of its group; nil if that has no text.
    package let groupName: String?
    /// Of a subscription that renews: what apps see of its offers at the moment, in order of their ids.
    package let offers: [LowerPrice]
    /// Its offers of codes, which are seen by those who have one.
    package let codes: [LowerPrice]
    /// What the store hosts of it, as the environment delivers it; nil without any.
    package let content: Content?
    /// The moment of its price and its offers, by the clock of the customer.
    package let commerce: Instant

    /// The newest version of hosted content, and how many bytes it has.
    package struct Content: Hashable, Sendable {
        package let version: ContentVersion
        package let bytes: Int64
    }

    /// An offer, and what it costs in the storefront.
    package struct LowerPrice: Hashable, Sendable {
        package let offer: SubscriptionOffer
        package let price: Money
    }
}

/// An id that an app asked for and that cannot be sold.
package struct InvalidProduct: Error, Hashable, Sendable {
    /// As the app wrote it; it may be anything.
    package let id: String
    package let obstacle: ProductObstacle
    /// The id that was probably meant. Only the sandbox looks for it.
    package let nearest: ProductID?

    package init(id: String, obstacle: ProductObstacle, nearest: ProductID?) {
        self.id = id
        self.obstacle = obstacle
        self.nearest = nearest
    }

    /// Why, and what was probably meant: a sentence without its full stop.
    package var explanation: String {
        obstacle.explanation + (nearest.map { ". Did you mean \($0)?" } ?? "")
    }
}

/// What can be sold of the ids that were asked for, and what cannot.
package struct ProductListings: Hashable, Sendable {
    /// In the order in which they were asked for, each once.
    package internal(set) var listings: [ProductListing] = []
    /// In the order in which they were asked for, each once.
    package internal(set) var invalid: [InvalidProduct] = []
    /// Until when only a change of the catalogue changes the answer.
    package internal(set) var validUntil = Validity()

    /// The ends of an answer by both clocks; nil where there is none.
    package struct Validity: Hashable, Sendable {
        /// When the next price or offer that was set beforehand begins or ends, by the clock of the customer.
        package internal(set) var commerce: Instant?
        /// When the next change reaches customers or the next agreement ends, by the wall clock.
        package internal(set) var wall: Instant?
    }

    /// Notes what changes the answer at some moments of the wall clock.
    package mutating func end(atWall moments: [Instant], after now: Instant) {
        validUntil.wall = (moments.filter { $0 > now } + [validUntil.wall].compactMap(\.self)).min()
    }
}

extension ProductListings {
    /// Nothing of what was asked for, all for one reason.
    package init(nothingOf ids: [String], _ obstacle: ProductObstacle) {
        var seen: Set<String> = []
        invalid = ids.filter { seen.insert($0).inserted }.map {
            InvalidProduct(id: $0, obstacle: obstacle, nearest: nil)
        }
    }
}

/// When something is asked of the catalogue, and how long its changes take to reach customers.
package struct CatalogueMoment: Hashable, Sendable {
    /// By the clock of the customer: which prices and offers hold.
    package let commerce: Instant
    /// By the wall clock: what has reached customers, and which agreements hold.
    package let wall: Instant
    package let delay: Duration

    package init(commerce: Instant, wall: Instant, delay: Duration = .zero) {
        self.commerce = commerce
        self.wall = wall
        self.delay = delay
    }
}

/// Reads products by their ids, a page of them with one statement.
///
/// A statement is text that was written once, so a page has a fixed width; what it has too many is filled with its last id.
struct ProductPage {
    /// A product, and its price in one storefront.
    struct Entry {
        let product: CatalogueProduct
        /// What the storefront has of its own, and whether the product was taken out of it.
        let own: Money?
        let isWithdrawn: Bool
        /// What production sells instead of what was drafted; nil if that is the same.
        let edition: ProductEdition?
        var price: Money?
        var content: ProductListing.Content?
    }

    static let width = 32

    /// The products of these ids as an environment sells them, at most ``width`` of them, by id.
    static func entries(
        _ ids: ArraySlice<ProductID>, of app: AppID, _ storefront: StorefrontRecord, _ environment: StoreEnvironment,
        in transaction: any ReadTransaction
    ) throws -> [ProductID: Entry] {
        var found: [(product: CatalogueProduct, own: Money?, isWithdrawn: Bool)] = []
        let values = [app.databaseValue, .text(storefront.alpha3)]
        try transaction.forEachRow(
            ids.count == 1 ? product : products, binding: values + padded(ids.map(\.databaseValue))
        ) { row in
            var cells = row.cells
            let product = try CatalogueProduct(&cells)
            found.append((product, try cells.nextMoneyIfAny(), try cells.next(as: String?.self) != nil))
        }
        let editions = try ProductEditions.published(of: found.map(\.product), in: environment, transaction)
        let code = StorefrontCode(storefront)
        let entries = found.map { product, own, isWithdrawn in
            let edition = editions[product.itemID]
            let sold = product.published(by: edition)
            let price = edition.map { $0.ownPrices[code] } ?? own
            let isWithdrawn = edition?.withdrawn.contains(code) ?? isWithdrawn
            return (
                product.productID,
                Entry(
                    product: sold, own: price, isWithdrawn: isWithdrawn, edition: edition,
                    price: sold.price(own: price, isWithdrawn: isWithdrawn, in: storefront))
            )
        }
        return Dictionary(uniqueKeysWithValues: entries)
    }

    /// The texts of these products, at most ``width`` of them, by language.
    static func texts(
        of items: [ItemID], in transaction: any ReadTransaction
    ) throws -> [ItemID: [String: ProductText]] {
        var found: [ItemID: [String: ProductText]] = [:]
        guard !items.isEmpty else { return found }
        try transaction.forEachRow(
            items.count == 1 ? text : texts, binding: padded(items.map(\.databaseValue))
        ) { row in
            var cells = row.cells
            let (item, language) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            found[item, default: [:]][language] = try ProductText(title: cells.next(), description: cells.next())
        }
        return found
    }

    static func padded(_ values: [DatabaseValue]) -> [DatabaseValue] {
        guard values.count > 1, let last = values.last else { return values }
        return values + Array(repeating: last, count: width - values.count)
    }

    private static let selection: SQL = """
        SELECT \(CatalogueProduct.columns), amount, currency, product_withdrawal.storefront
        FROM product LEFT JOIN product_price
            ON product_price.item_id = product.item_id AND product_price.storefront = $2
            LEFT JOIN product_withdrawal
            ON product_withdrawal.item_id = product.item_id AND product_withdrawal.storefront = $2
        """

    private static let product: SQL = "\(selection) WHERE app_id = $1 AND product_id = $3"

    private static let products: SQL = """
        \(selection) WHERE app_id = $1 AND product_id IN (
            $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
            $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34)
        """

    private static let text: SQL = "SELECT item_id, language, title, description FROM product_text WHERE item_id = $1"

    private static let texts: SQL =
        "SELECT item_id, language, title, description FROM product_text WHERE item_id IN \(items)"

    /// A page of items.
    static let items: SQL = """
        ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)
        """
}

extension Catalogue {
    /// What of these ids can be sold to customers of a storefront, in which words and at which price, and why the others
    /// cannot.
    ///
    /// - Parameters:
    ///   - ids: any number of texts, as an app wrote them; one twice counts once.
    ///   - languages: those of the device, the favourite first.
    ///   - isForPeople: whether the probable id is looked for in production too: an app is not told.
    package static func listings(
        for ids: [String], app: CatalogueApp, environment: StoreEnvironment, storefront: StorefrontRecord,
        languages: [String], at moment: CatalogueMoment, isForPeople: Bool = false,
        in transaction: any ReadTransaction
    ) throws -> ProductListings {
        var seen: Set<String> = []
        let asked = ids.filter { seen.insert($0).inserted }
        let known = asked.compactMap { try? ProductID(parsing: $0) }
        let view = View(app, environment, storefront, languages, moment)
        var outcomes: [ProductID: Outcome] = [:]
        var (changes, arrivals): ([Instant], [Instant]) = ([], [])
        var groups: [SubscriptionGroupID: [String: SubscriptionGroupText]]?
        for start in stride(from: 0, to: known.count, by: ProductPage.width) {
            let page = known[start..<min(start + ProductPage.width, known.count)]
            let entries = try ProductPage.entries(page, of: app.id, storefront, environment, in: transaction)
            let texts = try ProductPage.texts(of: entries.values.map(\.product.itemID), in: transaction)
            let renewing = entries.values.map(\.product).filter { $0.kind == .autoRenewable }
            if !renewing.isEmpty { groups = try groups ?? SubscriptionGroups.texts(of: app.id, in: transaction) }
            var lower = try SubscriptionOffers.list(of: renewing.map(\.itemID), in: transaction)
            for entry in entries.values {
                if let edition = entry.edition { lower[entry.product.itemID] = edition.offers }
            }
            for (id, var entry) in entries {
                let product = entry.product
                var own = texts[product.itemID] ?? [:]
                if environment == .sandbox, product.review.isLive, product.state != .approved {
                    own.merge(try Catalogue.textChanges(of: product.itemID, in: transaction)) { $1 }
                }
                if product.firstPriceChangeAt != nil {
                    let timeline = try PriceTimeline(of: entry, in: storefront, transaction)
                    entry.price = timeline.price(at: moment.commerce)
                    changes += timeline.moments
                }
                arrivals += [product.reachesCustomers(of: environment, after: moment.delay)].compactMap(\.self)
                changes += (lower[product.itemID] ?? []).flatMap { [$0.startsAt, $0.endsAt].compactMap(\.self) }
                entry.content = try content(of: product, in: environment, transaction)
                outcomes[id] = outcome(
                    of: entry, own, lower[product.itemID] ?? [], product.groupID.flatMap { groups?[$0] } ?? [:], view)
            }
        }
        var answer = try answer(
            asked, outcomes, app, guesses: isForPeople || environment == .sandbox, in: transaction)
        answer.validUntil.commerce = changes.filter { $0 > moment.commerce }.min()
        answer.end(atWall: arrivals, after: moment.wall)
        return answer
    }

    /// The same of one product.
    package static func listing(
        for id: ProductID, app: CatalogueApp, environment: StoreEnvironment, storefront: StorefrontRecord,
        languages: [String], at moment: CatalogueMoment, in transaction: any ReadTransaction
    ) throws -> Result<ProductListing, InvalidProduct> {
        let found = try listings(
            for: [id.text], app: app, environment: environment, storefront: storefront, languages: languages,
            at: moment, in: transaction)
        if let listing = found.listings.first { return .success(listing) }
        return .failure(found.invalid.first ?? InvalidProduct(id: id.text, obstacle: .unknown, nearest: nil))
    }

    private typealias Outcome = Result<ProductListing, InvalidProduct>

    /// For whom products are looked up.
    private struct View {
        let app: CatalogueApp
        let environment: StoreEnvironment
        let storefront: StorefrontRecord
        let languages: [String]
        let moment: CatalogueMoment

        init(
            _ app: CatalogueApp, _ environment: StoreEnvironment, _ storefront: StorefrontRecord,
            _ languages: [String], _ moment: CatalogueMoment
        ) {
            self.app = app
            self.environment = environment
            self.storefront = storefront
            self.languages = languages
            self.moment = moment
        }

        /// The best of the languages that there are texts in.
        ///
        /// - Parameter language: the one to take if there is a text in it.
        func language(of texts: [String], first language: String? = nil) -> String? {
            if let language, texts.contains(language) { return language }
            return TextLanguage.best(
                of: texts.sorted(), for: [language].compactMap(\.self) + languages, in: storefront,
                primary: app.primaryLanguage)
        }
    }

    private static func outcome(
        of entry: ProductPage.Entry, _ texts: [String: ProductText], _ offers: [SubscriptionOffer],
        _ group: [String: SubscriptionGroupText], _ view: View
    ) -> Outcome {
        let product = entry.product
        let obstacle = ProductObstacle.first(
            of: product.review, isRemoved: product.removedAt != nil, isClearedForSale: product.isClearedForSale,
            period: product.period, price: entry.price,
            arrival: product.reachesCustomers(of: view.environment, after: view.moment.delay),
            in: view.environment, view.storefront, at: view.moment.wall)
        let language = view.language(of: Array(texts.keys))
        guard obstacle == nil, let price = entry.price, let language, let text = texts[language] else {
            // What is missing is named, where it is the text alone.
            let isTextAlone = obstacle == nil || obstacle == .incomplete && language == nil
            return .failure(
                InvalidProduct(
                    id: product.productID.text, obstacle: isTextAlone ? .noText : obstacle ?? .noText, nearest: nil))
        }
        let lower = offers.filter { $0.isCurrent(at: view.moment.commerce) }.compactMap { offer in
            offer.price(in: view.storefront).map { ProductListing.LowerPrice(offer: offer, price: $0) }
        }
        return .success(
            ProductListing(
                product: product, title: text.title, description: text.description, language: language, price: price,
                groupName: view.language(of: Array(group.keys), first: language).flatMap { group[$0]?.name },
                offers: lower.filter { $0.offer.kind != .code }, codes: lower.filter { $0.offer.kind == .code },
                content: entry.content, commerce: view.moment.commerce))
    }

    /// What customers of an environment get of a product whose content the store hosts.
    private static func content(
        of product: CatalogueProduct, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> ProductListing.Content? {
        guard product.hostsContent,
            let newest = try HostedContent.newest(of: product.itemID, in: environment, transaction),
            let version = newest.version, let archive = newest.archive
        else { return nil }
        return ProductListing.Content(version: version, bytes: archive.bytes)
    }

    /// Puts what was found into the order of the request.
    private static func answer(
        _ asked: [String], _ outcomes: [ProductID: Outcome], _ app: CatalogueApp, guesses areFound: Bool,
        in transaction: any ReadTransaction
    ) throws -> ProductListings {
        var answer = ProductListings()
        var guesses = areFound ? CatalogueLimits.guesses : 0
        var names: [String]?
        for text in asked {
            let id = try? ProductID(parsing: text)
            switch id.flatMap({ outcomes[$0] }) {
            case .success(let listing): answer.listings.append(listing)
            case .failure(let invalid): answer.invalid.append(invalid)
            case nil:
                var nearest: ProductID?
                if guesses > 0 {
                    guesses -= 1
                    let candidates = try names ?? sellableIDs(of: app.id, in: transaction)
                    names = candidates
                    let twin = candidates.first { $0.lowercased() == text.lowercased() }
                    nearest = (twin ?? NearestName.of(text, among: candidates)).flatMap { try? ProductID(parsing: $0) }
                }
                let isTwin = nearest?.text.lowercased() == text.lowercased()
                answer.invalid.append(
                    InvalidProduct(
                        id: text, obstacle: id == nil ? .malformed : isTwin ? .otherCase : .unknown, nearest: nearest))
            }
        }
        return answer
    }

    private static func sellableIDs(of app: AppID, in transaction: any ReadTransaction) throws -> [String] {
        try transaction.query(
            """
            SELECT product_id FROM product WHERE app_id = $1 AND removed_at IS NULL ORDER BY product_id LIMIT $2
            """, app, CatalogueLimits.guessedFrom
        ) { try $0.value(0) }
    }
}
