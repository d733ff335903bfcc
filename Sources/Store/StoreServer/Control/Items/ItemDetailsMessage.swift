import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// An item with everything that belongs to it, as those see it who prepare it.
package struct ItemDetailsMessage: Codable, Hashable, Sendable {
    package let item: ItemMessage
    package let disc: Int?
    package let number: Int?
    package let releasedAt: Instant
    package let explicitness: String
    package let rating: String?
    package let copyright: String?
    package let supportAddress: String?
    package let makerAddress: String?
    package let privacyAddress: String?
    package let milliseconds: Int64?
    package let isbn: String?
    package let upc: String?
    package let languages: [String]
    package let isFamilyShareable: Bool
    package let isClearedForSale: Bool
    /// Whether production goes on showing former facts until these are approved.
    package let awaitsApproval: Bool
    /// By language.
    package let texts: [String: CatalogueDetailsAnswer.Text]
    /// By storefront, three letters.
    package let prices: [String: CatalogueDetailsAnswer.Price]
    package let withdrawnStorefronts: [String]
    package let priceChanges: [PriceChangeMessage]
    package let files: [ItemFileMessage]
    /// What it lacks before it is reviewed, in words.
    package let missing: [String]
    /// The versions of an app.
    package let versions: [String]
    /// What keeps all items of the team from being sold.
    package let obstacle: String?

    init(_ details: ItemDetails, _ store: ControlStore) throws {
        let (facts, product) = (details.item.facts, details.product.product)
        item = try ItemMessage(details.item, product, details.artist, partOf: details.parent, store)
        (disc, number, releasedAt) = (facts.disc, facts.number, facts.releasedAt)
        (explicitness, rating, copyright) = (facts.explicitness.rawValue, facts.rating, facts.copyright)
        (supportAddress, makerAddress) = (facts.supportAddress, facts.makerAddress)
        (privacyAddress, milliseconds) = (facts.privacyAddress, facts.milliseconds)
        (isbn, upc, languages) = (facts.isbn, facts.upc, facts.languages)
        (isFamilyShareable, isClearedForSale) = (product.isFamilyShareable, product.isClearedForSale)
        awaitsApproval = details.shownFacts != nil
        let sold = CatalogueDetailsAnswer(details.product, store)
        texts = details.product.newestTexts.mapValues {
            CatalogueDetailsAnswer.Text(title: $0.title, description: $0.description)
        }
        (prices, withdrawnStorefronts) = (sold.prices, sold.withdrawnStorefronts)
        priceChanges = sold.priceChanges
        files = details.files.map(ItemFileMessage.init)
        missing = details.missing
        versions = details.versions.map(\.version)
        obstacle = details.teamObstacle?.explanation
    }
}

extension ItemDetailsMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "explicitness": .string(among: Explicitness.known.map(\.rawValue).sorted()),
            "texts": .dictionary(of: .of(CatalogueDetailsAnswer.Text.self), description: "By language."),
            "prices": .dictionary(
                of: .of(CatalogueDetailsAnswer.Price.self), description: "By storefront, three letters."),
            "withdrawnStorefronts": .array(
                of: StorefrontCode.schema, description: "Those that it was taken out of."),
            "priceChanges": .array(
                of: .of(PriceChangeMessage.self), description: "Prices that were set beforehand, the earliest first."),
            "files": .array(of: .of(ItemFileMessage.self), description: "Its files, those too that await approval."),
        ]
    }
}
