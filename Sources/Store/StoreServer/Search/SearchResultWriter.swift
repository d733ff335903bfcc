import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Writes what was found as the search API has it: an object each, without the members that have no value.
struct SearchResultWriter {
    private let results: StorefrontSearch.Results
    private let storefront: StorefrontRecord
    private let version: Int
    private let prices: PriceText
    /// Where the store is reached; nil where that is not known.
    private let store: StoreAddress?

    init(
        _ results: StorefrontSearch.Results, in storefront: StorefrontRecord, version: Int, prices: PriceText,
        address: StoreAddress?
    ) {
        (self.results, self.storefront, self.version) = (results, storefront, version)
        (self.prices, store) = (prices, address)
    }

    var objects: [JSONValue] {
        results.found.map { found in
            let members =
                switch found {
                case .artist(let artist): self.members(of: artist)
                case .item(let listing): self.members(of: listing)
                }
            let known = members.compactMap { member in member.value.map { JSONValue.Member(member.name, $0) } }
            return .object(version == 1 ? Self.former(known) : known)
        }
    }

    private typealias Members = [(name: String, value: JSONValue?)]

    private func members(of listing: ItemListing) -> Members {
        switch listing.kind {
        case .app: app(listing)
        case .album, .season: collection(listing)
        case .song, .film, .episode: track(listing)
        case .book: book(listing)
        case .audiobook: audiobook(listing)
        default: []
        }
    }

    // MARK: Artists

    private func members(of found: FoundArtist) -> Members {
        let artist = found.artist
        let link = address(of: artist.link(in: storefront))
        return [
            ("wrapperType", .string("artist")), ("artistType", .string(Self.type(of: artist.kind))),
            ("artistName", .string(artist.name)), ("artistLinkUrl", link),
            ("artistViewUrl", artist.kind == .developer ? link : nil), ("artistId", number(artist.storeID)),
            ("primaryGenreName", found.genre.map { .string($0.name) }),
            ("primaryGenreId", found.genre.map { .integer($0.id) }),
        ]
    }

    private static func type(of kind: ArtistKind) -> String {
        switch kind {
        case .developer: "Software Artist"
        case .author: "Author"
        case .filmArtist: "Movie Artist"
        case .show: "TV Show"
        default: "Artist"
        }
    }

    // MARK: Items

    private func app(_ listing: ItemListing) -> Members {
        let facts = listing.item.facts
        let version = listing.version
        let package = version?.packages.first
        let all: Members = [
            ("wrapperType", .string("software")), ("kind", .string("software")),
            ("sellerName", results.sellers[listing.product.appID].map(JSONValue.string)),
            ("sellerUrl", facts.makerAddress.map(JSONValue.string)),
            ("bundleId", listing.item.appID.flatMap { results.bundles[$0] }.map { .string($0.text) }),
            ("version", version.map { .string($0.version.version) }),
            ("releaseNotes", version?.note.map(JSONValue.string)),
            ("currentVersionReleaseDate", version.map { .string($0.version.changedAt.rfc3339) }),
            ("artworkUrl512", artwork(listing)),
            ("screenshotUrls", addresses(of: listing.files(.screenshot))), ("ipadScreenshotUrls", .array([])),
            ("appletvScreenshotUrls", .array([])), ("supportedDevices", .array([])), ("features", .array([])),
            ("advisories", .array([])),
            ("languageCodesISO2A", .array(languages(facts).map(JSONValue.string))),
            ("fileSizeBytes", package.map { .string(String($0.bytes)) }),
            ("trackContentRating", facts.rating.map(JSONValue.string)),
            ("isGameCenterEnabled", .bool(false)), ("isVppDeviceBasedLicensingEnabled", .bool(false)),
        ]
        return joined(
            all, named(listing, "track"), maker(listing), sold(listing, "price"), [formatted(listing)],
            common(listing), genres(listing), ratings(listing), described(listing, "description"))
    }

    private func book(_ listing: ItemListing) -> Members {
        let package = listing.files(.package).first
        // Clients know a book by its kind; it is wrapped in nothing.
        let all: Members = [
            ("kind", .string("ebook")), ("artistIds", .array([number(listing.artist.storeID)])),
            ("fileSizeBytes", package.map { number($0.bytes) }),
        ]
        return joined(
            all, named(listing, "track"), maker(listing), sold(listing, "price"), [formatted(listing)],
            common(listing), genres(listing), ratings(listing), described(listing, "description"))
    }

    private func audiobook(_ listing: ItemListing) -> Members {
        let all: Members = [
            ("wrapperType", .string("audiobook")), ("previewUrl", preview(listing)),
            ("trackCount", .integer(max(1, listing.files(.package).count))),
        ]
        return joined(
            all, named(listing, "collection"), maker(listing), sold(listing, "collectionPrice"), common(listing),
            described(listing, "description"))
    }

    private func collection(_ listing: ItemListing) -> Members {
        let isAlbum = listing.kind == .album
        let all: Members = [
            ("wrapperType", .string("collection")), ("collectionType", .string(isAlbum ? "Album" : "TV Season")),
            ("trackCount", .integer(listing.childCount)),
            ("discCount", isAlbum ? .integer(results.discs[listing.storeID] ?? 1) : nil),
        ]
        return joined(
            all, named(listing, "collection"), maker(listing), sold(listing, "collectionPrice"), common(listing),
            isAlbum ? [] : described(listing, "longDescription"))
    }

    private func track(_ listing: ItemListing) -> Members {
        let facts = listing.item.facts
        let kind = [ItemKind.song: "song", .film: "feature-movie"][listing.kind] ?? "tv-episode"
        var all: Members = [
            ("wrapperType", .string("track")), ("kind", .string(kind)), ("previewUrl", preview(listing)),
            ("artworkUrl30", artwork(listing)), ("trackTimeMillis", facts.milliseconds.map(number)),
            ("trackNumber", facts.number.map(JSONValue.integer)),
        ]
        if let parent = listing.parent {
            all += whole(parent)
            if listing.kind == .song {
                all.append(("discNumber", .integer(facts.disc ?? 1)))
                all.append(("discCount", .integer(results.discs[parent.item.storeID] ?? 1)))
            }
        } else if listing.kind == .film {
            all += sold(listing, "collectionPrice") + [("hasITunesExtras", .bool(false))]
        }
        if listing.kind == .song { all.append(("isStreamable", .bool(false))) }
        return joined(
            all, named(listing, "track"), maker(listing), sold(listing, "trackPrice"), common(listing),
            listing.kind == .song ? [] : described(listing, "longDescription"))
    }

    /// What a song or an episode says of its album or season.
    private func whole(_ parent: ItemListing.Parent) -> Members {
        let listing = results.parents[parent.item.storeID]
        let name = listing?.title ?? parent.item.facts.name
        return [
            ("collectionId", number(parent.item.storeID)), ("collectionName", .string(name)),
            ("collectionCensoredName", .string(name)),
            ("collectionViewUrl", address(of: parent.item.link(in: storefront, parent: nil))),
            ("collectionExplicitness", .string(parent.item.facts.explicitness.rawValue)),
            ("collectionPrice", price(listing?.price)), ("trackCount", .integer(parent.childCount)),
            ("collectionArtistId", listing.map { number($0.artist.storeID) }),
            ("collectionArtistName", listing.map { .string($0.artist.name) }),
        ]
    }

    // MARK: Parts of all

    private func joined(_ parts: Members...) -> Members { parts.flatMap { $0 } }

    private func named(_ listing: ItemListing, _ prefix: String) -> Members {
        [
            ("\(prefix)Id", number(listing.storeID)), ("\(prefix)Name", .string(listing.title)),
            ("\(prefix)CensoredName", .string(listing.title)),
            ("\(prefix)ViewUrl", address(of: listing.link(in: storefront))),
            ("\(prefix)Explicitness", .string(listing.item.facts.explicitness.rawValue)),
        ]
    }

    private func maker(_ listing: ItemListing) -> Members {
        [
            ("artistId", number(listing.artist.storeID)), ("artistName", .string(listing.artist.name)),
            ("artistViewUrl", address(of: listing.artistLink(in: storefront))),
        ]
    }

    private func common(_ listing: ItemListing) -> Members {
        let facts = listing.item.facts
        let genre = facts.genre
        return [
            ("artworkUrl60", artwork(listing)), ("artworkUrl100", artwork(listing)),
            ("releaseDate", .string(facts.releasedAt.rfc3339)),
            ("contentAdvisoryRating", facts.rating.map(JSONValue.string)),
            ("copyright", facts.copyright.map(JSONValue.string)),
            ("primaryGenreId", genre.map { .integer($0.id) }), ("primaryGenreName", genre.map { .string($0.name) }),
            ("country", .string(storefront.alpha3)), ("currency", .string(storefront.currency.code)),
        ]
    }

    private func genres(_ listing: ItemListing) -> Members {
        let path = (listing.genre?.path ?? []).dropLast()
        return [
            ("genres", .array(path.compactMap { Genre.find($0).map { .string($0.name) } })),
            ("genreIds", .array(path.map { .string(String($0)) })),
        ]
    }

    private func ratings(_ listing: ItemListing) -> Members {
        let score = results.scores[listing.storeID]
        let all: Members = [
            ("averageUserRating", score?.average.map(Self.stars)), ("userRatingCount", .integer(score?.count ?? 0)),
        ]
        guard listing.kind == .app else { return all }
        return all + [
            ("averageUserRatingForCurrentVersion", score?.currentAverage.map(Self.stars)),
            ("userRatingCountForCurrentVersion", .integer(score?.currentCount ?? 0)),
        ]
    }

    private func described(_ listing: ItemListing, _ name: String) -> Members {
        [(name, listing.description.isEmpty ? nil : .string(listing.description))]
    }

    private func sold(_ listing: ItemListing, _ name: String) -> Members { [(name, price(listing.price))] }

    private func formatted(_ listing: ItemListing) -> (name: String, value: JSONValue?) {
        let text = listing.price.map { price in
            price.isZero ? "Free" : prices.text(of: price, language: listing.language, storefront: storefront)
        }
        return ("formattedPrice", text.map(JSONValue.string))
    }

    // MARK: Values

    /// What something costs, -1 if it is not sold by itself.
    private func price(_ price: Money?) -> JSONValue { .number(price?.decimalText ?? "-1.00") }

    private func number(_ number: Int64) -> JSONValue { .number(String(number)) }

    /// An average of stars with two places.
    private static func stars(_ average: Double) -> JSONValue {
        let hundredths = Int((average * 100).rounded())
        let tail = hundredths % 100
        return .number("\(hundredths / 100).\(tail < 10 ? "0" : "")\(tail)")
    }

    private func languages(_ facts: ItemFacts) -> [String] {
        var seen: Set<String> = []
        return facts.languages.map { $0.prefix { $0 != "-" }.uppercased() }.filter { seen.insert($0).inserted }
    }

    /// Every size of a picture is the one that the item has: pages scale it.
    private func artwork(_ listing: ItemListing) -> JSONValue? { listing.artwork.map(address(of:)) }

    private func preview(_ listing: ItemListing) -> JSONValue? { listing.files(.preview).first.map(address(of:)) }

    private func addresses(of files: [ItemFile]) -> JSONValue { .array(files.map(address(of:))) }

    private func address(of file: ItemFile) -> JSONValue { .string((store?.description ?? "") + file.publicPath) }

    private func address(of link: StoreLink) -> JSONValue { .string((store?.description ?? "") + link.path) }

    /// Members as the first version of the API called them, of two with one name the first.
    private static func former(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        var seen: Set<String> = []
        return members.map { JSONValue.Member(formerNames[$0.name] ?? $0.name, $0.value) }
            .filter { seen.insert($0.name).inserted }
    }

    private static let formerNames = [
        "kind": "mediaType", "artistViewUrl": "artistLinkUrl", "trackTimeMillis": "trackTime",
        "trackId": "itemId", "trackName": "itemName", "trackCensoredName": "itemCensoredName",
        "trackViewUrl": "itemLinkUrl", "trackPrice": "itemPrice", "trackExplicitness": "itemExplicitness",
        "collectionId": "itemParentId", "collectionName": "itemParentName",
        "collectionCensoredName": "itemParentCensoredName", "collectionViewUrl": "itemParentLinkUrl",
        "collectionPrice": "itemParentPrice", "collectionExplicitness": "itemParentExplicitness",
    ]
}
