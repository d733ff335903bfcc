import Foundation
import StoreCatalogue
import StoreModel
import StoreService

/// An item in the words of schema.org.
struct ItemData {
    let visit: StorefrontVisit
    let content: StorefrontReader.Item

    private typealias Value = StructuredData.Value

    private var listing: ItemListing { content.page.listing }
    private var item: CatalogueItem { listing.item }

    var data: StructuredData? {
        var facts: [String: Value?] = [
            "name": .text(listing.title), "inLanguage": .text(listing.language),
            "description": listing.description.isEmpty ? nil : .text(listing.description),
            "url": address(Link(path: listing.link(in: visit.storefront).path)),
            "image": address(listing.artwork.map(visit.link)), "genre": listing.genre.map { .text($0.name) },
            "datePublished": .text(String(item.releasedAt.rfc3339.prefix(10))),
            "copyrightNotice": item.copyright.map { .text($0) }, "contentRating": item.rating.map { .text($0) },
            "offers": offer, "aggregateRating": rating,
        ]
        facts.merge(own) { $1 }
        return StructuredData(type, facts)
    }

    private var type: String {
        switch item.kind {
        case .song: "MusicRecording"
        case .album: "MusicAlbum"
        case .film: "Movie"
        case .season: "TVSeason"
        case .episode: "TVEpisode"
        case .book: "Book"
        case .audiobook: "Audiobook"
        default: "SoftwareApplication"
        }
    }

    /// What only some kinds have.
    private var own: [String: Value?] {
        let maker = { (type: String) in Value.thing(type, ["name": .text(listing.artist.name)]) }
        let length = item.milliseconds.map { Value.text("PT\(($0 + 500) / 1000)S") }
        return switch item.kind {
        case .album:
            [
                "byArtist": maker("MusicGroup"), "numTracks": .number(Double(content.page.children.count)),
                "track": .list(
                    content.page.children.map {
                        .thing(
                            "MusicRecording",
                            ["name": .text($0.title), "url": address(Link(path: $0.link(in: visit.storefront).path))])
                    }),
            ]
        case .song: ["byArtist": maker("MusicGroup"), "duration": length]
        case .film: ["director": maker("Person"), "duration": length]
        case .season:
            [
                "partOfSeries": maker("TVSeries"), "seasonNumber": item.number.map { .number(Double($0)) },
                "numberOfEpisodes": .number(Double(content.page.children.count)),
            ]
        case .book, .audiobook:
            ["author": maker("Person"), "isbn": item.isbn.map { .text($0) }, "duration": length]
        default:
            [
                "author": maker("Organization"), "operatingSystem": "Linux",
                "applicationCategory": listing.genre.map { .text($0.name) },
                "softwareVersion": listing.version.map { .text($0.version.version) },
            ]
        }
    }

    private var offer: Value? {
        listing.price.map { price in
            .thing(
                "Offer",
                [
                    "price": .text(price.decimalText), "priceCurrency": .text(price.currency.code),
                    "availability": "https://schema.org/InStock",
                    "eligibleRegion": .text(visit.storefront.alpha2),
                ])
        }
    }

    private var rating: Value? {
        let score = content.reviews.score
        return score.average.map { average in
            .thing(
                "AggregateRating",
                ["ratingValue": .number((average * 10).rounded() / 10), "ratingCount": .number(Double(score.count))])
        }
    }

    private func address(_ link: Link?) -> Value? { link.flatMap(visit.whole).map { .text($0.text) } }
}
