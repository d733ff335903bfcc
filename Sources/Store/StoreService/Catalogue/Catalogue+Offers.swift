package import StoreDatabase
package import StoreModel
import StoreRules

extension Catalogue {
    /// What of these ids can be sold to customers of a storefront, in which words and at which price, and why the others
    /// cannot.
    ///
    /// - Parameters:
    ///   - ids: any number of texts, as an app wrote them; one twice counts once.
    ///   - languages: those of the device, the favourite first.
    package static func offers(
        for ids: [String], app: CatalogueApp, environment: StoreEnvironment, storefront: StorefrontRecord,
        languages: [String], in transaction: any ReadTransaction
    ) throws -> CatalogueOffers {
        var seen: Set<String> = []
        let asked = ids.filter { seen.insert($0).inserted }
        let known = asked.compactMap { try? ProductID(parsing: $0) }
        var standings: [ProductID: Standing] = [:]
        for start in stride(from: 0, to: known.count, by: ProductPage.width) {
            let page = known[start..<min(start + ProductPage.width, known.count)]
            let entries = try ProductPage.entries(page, of: app.id, storefront, in: transaction)
            let texts = try ProductPage.texts(of: entries.values.map(\.product.itemID), in: transaction)
            for (id, entry) in entries {
                standings[id] = standing(
                    of: entry, texts[entry.product.itemID] ?? [:], app, environment, storefront, languages)
            }
        }
        return try answer(asked, standings, app, environment, in: transaction)
    }

    /// The same of one product.
    package static func offer(
        for id: ProductID, app: CatalogueApp, environment: StoreEnvironment, storefront: StorefrontRecord,
        languages: [String], in transaction: any ReadTransaction
    ) throws -> Result<ProductOffer, InvalidProduct> {
        let found = try offers(
            for: [id.text], app: app, environment: environment, storefront: storefront, languages: languages,
            in: transaction)
        if let offer = found.offers.first { return .success(offer) }
        return .failure(found.invalid.first ?? InvalidProduct(id: id.text, obstacle: .unknown, nearest: nil))
    }

    private typealias Standing = Result<ProductOffer, InvalidProduct>

    private static func standing(
        of entry: ProductPage.Entry, _ texts: [String: ProductText], _ app: CatalogueApp,
        _ environment: StoreEnvironment, _ storefront: StorefrontRecord, _ languages: [String]
    ) -> Standing {
        let product = entry.product
        let obstacle = ProductObstacle.first(
            of: product.state, isRemoved: product.removedAt != nil, isClearedForSale: product.isClearedForSale,
            price: entry.price, in: environment, storefront)
        let language = TextLanguage.best(
            of: texts.keys.sorted(), for: languages, in: storefront, primary: app.primaryLanguage)
        guard obstacle == nil, let price = entry.price, let language, let text = texts[language] else {
            return .failure(InvalidProduct(id: product.productID.text, obstacle: obstacle ?? .noText, nearest: nil))
        }
        return .success(
            ProductOffer(
                product: product, title: text.title, description: text.description, language: language, price: price))
    }

    /// Puts what was found into the order of the request.
    private static func answer(
        _ asked: [String], _ standings: [ProductID: Standing], _ app: CatalogueApp, _ environment: StoreEnvironment,
        in transaction: any ReadTransaction
    ) throws -> CatalogueOffers {
        var answer = CatalogueOffers()
        var guesses = environment == .sandbox ? CatalogueLimits.guesses : 0
        var names: [String]?
        for text in asked {
            let id = try? ProductID(parsing: text)
            switch id.flatMap({ standings[$0] }) {
            case .success(let offer): answer.offers.append(offer)
            case .failure(let invalid): answer.invalid.append(invalid)
            case nil:
                var nearest: ProductID?
                if guesses > 0 {
                    guesses -= 1
                    let candidates = try names ?? sellableIDs(of: app.id, in: transaction)
                    names = candidates
                    nearest = NearestName.of(text, among: candidates).flatMap { try? ProductID(parsing: $0) }
                }
                answer.invalid.append(
                    InvalidProduct(id: text, obstacle: id == nil ? .malformed : .unknown, nearest: nearest))
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
