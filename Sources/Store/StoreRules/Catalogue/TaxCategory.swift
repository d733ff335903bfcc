import StoreModel

/// What a product is to a tax office. The store computes no taxes; it passes on what the developer says.
package struct TaxCategory: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Software and what belongs to it.
    package static let standard = TaxCategory(rawValue: "standard")
    package static let books = TaxCategory(rawValue: "books")
    package static let news = TaxCategory(rawValue: "news")
    package static let music = TaxCategory(rawValue: "music")
    package static let video = TaxCategory(rawValue: "video")
    package static let games = TaxCategory(rawValue: "games")

    package static let known: Set<TaxCategory> = [.standard, .books, .news, .music, .video, .games]
}
