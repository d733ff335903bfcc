import StoreCatalogue
import StoreModel
import StoreService

/// The page of an item: what it is, what it costs, what it looks and sounds like, and what others say of it.
struct ItemFrontPage {
    let tiles: StorefrontTiles
    let content: StorefrontReader.Item
    /// The song of the album or the episode of the season that a link is of.
    var chosen: Int64?
    /// Why the last thing that was tried on it did not happen.
    var problem: String?

    var visit: StorefrontVisit { tiles.visit }
    var listing: ItemListing { content.page.listing }
    var kind: ItemKind { listing.kind }
    var isOwned: Bool { tiles.owned.contains(listing.storeID) }

    func text(_ name: String, _ arguments: [String: String] = [:]) -> String { visit.text(name, arguments) }

    var page: StorefrontPage {
        var page = StorefrontPage(visit, title) {
            if let problem { p(.class("problem"), .role("alert")) { problem } }
            if kind.isCollection { sleeve } else { product }
            div(.class("two")) {
                div {
                    description
                    novelties
                    purchases
                }
                aside(.label(text("shop.information"))) { information }
            }
            ReviewsPart(visit: visit, item: listing, content: content.reviews, owns: owns).part
            others
        }
        page.section = StorefrontSection(kind)
        page.description =
            listing.description.split(whereSeparator: \.isNewline).first.map { String($0.prefix(200)) } ?? title
        page.canonical = Link(path: canonical.path)
        page.picture = listing.artwork.map(visit.link)
        page.kind = openGraphType
        page.data = [ItemData(visit: visit, content: content).data].compactMap(\.self)
        return page
    }

    private var title: String {
        kind == .app ? listing.title : "\(listing.title) · \(listing.artist.name)"
    }

    /// The link of the page itself; that of one song of it where one is meant.
    var canonical: StoreLink {
        var link = listing.link(in: visit.storefront)
        if let chosen { link.item = chosen }
        return link
    }

    private var openGraphType: String {
        switch kind {
        case .album: "music.album"
        case .song: "music.song"
        case .film: "video.movie"
        case .season: "video.tv_show"
        case .episode: "video.episode"
        case .book, .audiobook: "book"
        default: "website"
        }
    }

    /// Whether the reader may rate it: who has a part of it has not all of it.
    private var owns: Bool { visit.session != nil && isOwned }

    // MARK: Its head

    @HTMLBuilder private var product: [any HTML] {
        article {
            header(.class("product")) {
                tiles.artwork(listing).element(isLazy: false, words: kind == .app ? "" : cover)
                div {
                    if kind != .app { p(.class("eyebrow")) { eyebrow } }
                    h1(tiles.language(of: listing).map { .lang($0) }) { listing.title }
                    p(.class("maker")) { maker }
                }
                act
            }
            strip
            samples
            screenshots
        }
    }

    private var cover: String { listing.files(.artwork).first?.alternativeText ?? "" }

    var eyebrow: String {
        [visit.name(of: kind), listing.genre?.name].compactMap(\.self).joined(separator: " · ")
    }

    var maker: Element {
        a(.href(visit.link(listing.artistLink(in: visit.storefront)))) { listing.artist.name }
    }

    /// The one button, with what it costs in it, and what comes with it.
    var act: Element {
        ItemAct(visit: visit, listing: listing, isOwned: isOwned).form {
            if isOwned {
                text("shop.owned")
            } else if listing.price != nil {
                text("shop.keeps")
            }
            if let price = cheapest {
                br()
                a(.href(Link("#in-app"))) { text("shop.in_app_from", ["price": visit.price(price)]) }
            }
        }
    }

    /// What the cheapest thing costs that is sold in an app.
    private var cheapest: Money? {
        content.page.purchases.map(\.price).filter { !$0.isZero }.min { $0.minorUnits < $1.minorUnits }
    }

    private var strip: Element {
        let score = content.reviews.score
        return dl(.class("strip")) {
            div {
                dt { text("shop.ratings") }
                dd {
                    if let average = score.average {
                        ReviewsPart.shown(average, visit) + " "
                        stars(Int(average * 10), text("shop.stars", ["rating": ReviewsPart.shown(average, visit)]))
                        small { visit.text("shop.ratings_count", count: score.count) }
                    } else {
                        "–"
                        small { text("shop.no_ratings") }
                    }
                }
            }
            if let rating = listing.item.rating { fact("shop.age", rating) }
            if kind != .app { fact("shop.released", visit.year(listing.item.releasedAt)) }
            if let length = listing.item.milliseconds { fact("shop.length", visit.length(length)) }
            if let first = listing.item.languages.first {
                let more = listing.item.languages.count - 1
                fact(
                    "shop.languages", visit.name(ofLanguage: first),
                    more > 0 ? visit.text("shop.more", count: more) : nil)
            }
            if let bytes = packages.map(\.bytes).max() {
                fact("shop.size", visit.size(bytes), packages.map { Self.form(of: $0) }.joined(separator: ", "))
            }
        }
    }

    private func fact(_ name: String, _ value: String, _ more: String? = nil) -> Element {
        div {
            dt { text(name) }
            dd {
                value
                if let more { small { more } }
            }
        }
    }

    /// What those get who have it: of an app, the packages of its newest version.
    var packages: [ItemFile] { listing.version?.packages ?? listing.files(.package) }

    /// The end of the name of a file, by which people know what it is.
    static func form(of file: ItemFile) -> String {
        file.fileName.lastIndex(of: ".").map { String(file.fileName[$0...]) } ?? file.fileName
    }

    // MARK: What it looks and sounds like

    @HTMLBuilder private var samples: [any HTML] {
        let previews = listing.files(.preview)
        if !previews.isEmpty || !listing.files(.sample).isEmpty {
            StoreWeb.section(.class("part samples"), .label(text("shop.sample"))) {
                for preview in previews { SamplePlayer(visit: visit, file: preview, title: listing.title).element }
                for sample in listing.files(.sample) {
                    a(.class("button"), .href(visit.link(sample))) { text("shop.excerpt") }
                }
            }
        }
    }

    @HTMLBuilder private var screenshots: [any HTML] {
        let shots = listing.files(.screenshot)
        if !shots.isEmpty {
            StoreWeb.section(.label(text("shop.screenshots"))) {
                ul(.class("shots")) {
                    for (index, shot) in shots.enumerated() {
                        li {
                            a(.href(visit.link(shot))) {
                                img(
                                    .src(visit.link(shot)), .width(shot.width ?? 800), .height(shot.height ?? 500),
                                    .alt(
                                        shot.alternativeText
                                            ?? text("shop.screenshot", ["number": visit.number(index + 1)])))
                            }
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private var description: [any HTML] {
        if !listing.description.isEmpty {
            StoreWeb.section(.class("part read"), .label(text("shop.description")), .lang(listing.language)) {
                reading(listing.description)
            }
        }
    }

    @HTMLBuilder private var novelties: [any HTML] {
        if let version = listing.version {
            part(text("shop.whats_new")) {
                p(.class("dated")) {
                    span { text("shop.version", ["version": version.version.version]) }
                    span { visit.date(version.version.changedAt) }
                }
                if let note = version.note { div(.class("read")) { reading(note) } }
            }
        }
    }

    private var purchases: [any HTML] {
        PurchaseList(
            visit: visit, products: content.page.purchases, app: listing.item.appID, bundle: content.page.bundleID
        ).part
    }

    // MARK: Others

    @HTMLBuilder private var others: [any HTML] {
        // What is not the item itself leaves an app in which the page is shown.
        let leaving = StorefrontTiles(visit: visit.leaving, owned: tiles.owned)
        if !content.page.byArtist.isEmpty {
            part(text("shop.more_by", ["artist": listing.artist.name])) {
                list(content.page.byArtist.map(leaving.tile))
            }
        }
        let known = Set(content.page.byArtist.map(\.storeID))
        let related = content.page.related.filter { !known.contains($0.storeID) }
        if !related.isEmpty {
            part(text("shop.related")) { list(related.map(leaving.tile)) }
        }
    }
}
