import StoreCatalogue
import StoreModel
import StoreService

/// What was found: the first large, the rest by kinds; or what can be done where there is nothing.
struct SearchPage {
    let tiles: StorefrontTiles
    let term: String
    let content: StorefrontReader.Found
    /// The part of the storefront that is asked for; nil for all.
    var section: StorefrontSection?
    var offset = 0
    /// What may be meant, for the field of the bar.
    var suggestions: [SearchSuggestion] = []

    private var visit: StorefrontVisit { tiles.visit }
    private func text(_ name: String, _ arguments: [String: String] = [:]) -> String { visit.text(name, arguments) }

    var page: StorefrontPage {
        let isFound = !content.listings.isEmpty || !content.artists.isEmpty
        let title = term.isEmpty ? text("shop.search") : "“\(term)”"
        var page = StorefrontPage(visit, title) {
            if term.isEmpty {
                div(.class("lead-in")) {
                    h1 { text("shop.search") }
                    p { text("shop.search_lede") }
                }
            } else if isFound {
                found
            } else {
                nothing
            }
        }
        page.term = term
        page.suggestions = suggestions
        return page
    }

    private func link(_ term: String, _ section: StorefrontSection? = nil, from offset: Int = 0) -> Link {
        visit.link(
            "/search", ("term", term), ("kind", section?.rawValue), ("from", offset > 0 ? "\(offset)" : nil))
    }

    // MARK: Something

    @HTMLBuilder private var found: [any HTML] {
        div(.class("lead-in")) {
            h1 { text("shop.results", ["term": content.corrected ?? term]) }
            p { visit.text("shop.found", count: content.count, ["country": visit.countryName]) }
        }
        tabs
        if section == nil, offset == 0, let first = content.listings.first { hit(first) }
        for section in StorefrontSection.allCases {
            let listings = content.listings.filter { StorefrontSection($0.kind) == section }
            if !listings.isEmpty { kinds(listings, in: section) }
        }
        if section == nil, !content.artists.isEmpty { artists }
        if offset + content.listings.count < total {
            p(.class("more-rows")) {
                a(.class("button"), .rel("next"), .href(link(term, section, from: offset + content.listings.count))) {
                    text("shop.further")
                }
            }
        }
    }

    /// How much there is of what is asked for.
    private var total: Int {
        content.counts.filter { section == nil || StorefrontSection($0.key) == section }.values.reduce(0, +)
    }

    private var tabs: Element {
        nav(.class("tabs"), .label(text("shop.kinds"))) {
            a(.href(link(term)), section == nil ? .isCurrent : nil) {
                text("shop.all") + " "
                span { visit.number(content.count) }
            }
            for one in StorefrontSection.allCases {
                let count = content.counts.filter { StorefrontSection($0.key) == one }.values.reduce(0, +)
                if count > 0 {
                    a(.href(link(term, one)), section == one ? .isCurrent : nil) {
                        text(one.name) + " "
                        span { visit.number(count) }
                    }
                }
            }
        }
    }

    private func hit(_ listing: ItemListing) -> Element {
        let first = listing.description.split(whereSeparator: \.isNewline).first.map { String($0.prefix(240)) } ?? ""
        return article(.class("hit")) {
            tiles.artwork(listing).element(isLazy: false)
            div {
                p(.class("eyebrow")) {
                    [visit.name(of: listing.kind), listing.genre?.name].compactMap(\.self).joined(separator: " · ")
                }
                h2(tiles.language(of: listing).map { .lang($0) }) {
                    a(.href(visit.link(listing.link(in: visit.storefront)))) { listing.title }
                }
                p(.class("sub")) {
                    listing.artist.name
                    if !first.isEmpty {
                        br()
                        span(.lang(listing.language)) { first }
                    }
                }
                ItemAct(visit: visit, listing: listing, isOwned: tiles.owned.contains(listing.storeID))
                    .form(isBig: false) {}
            }
            let shots = listing.files(.screenshot).prefix(2)
            if !shots.isEmpty {
                ul(.class("shots")) {
                    for shot in shots {
                        li {
                            img(
                                .src(visit.link(shot)), .width(shot.width ?? 800), .height(shot.height ?? 500),
                                .alt(shot.alternativeText ?? ""))
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private func kinds(_ listings: [ItemListing], in section: StorefrontSection) -> [any HTML] {
        for kind in ItemKind.all {
            let some = listings.filter { $0.kind == kind }
            if !some.isEmpty {
                part(visit.heading(of: kind)) {
                    if kind == .song || kind == .episode {
                        trackTable(some, tiles)
                    } else {
                        list(some.map(tiles.tile))
                    }
                }
            }
        }
    }

    private var artists: Element {
        part(text("shop.makers")) {
            ul(.class("also")) {
                for artist in content.artists {
                    li { a(.href(visit.link(artist.link(in: visit.storefront)))) { artist.name } }
                }
            }
        }
    }

    // MARK: Nothing

    private var nothing: Element {
        div(.class("nothing")) {
            h1 { text("shop.nothing", ["term": term]) }
            p { text("shop.nothing_here", ["country": visit.countryName]) }
            if !content.elsewhere.isEmpty {
                p { text("shop.elsewhere", ["country": content.elsewhere.map(visit.name).joined(separator: ", ")]) }
            }
            ul(.class("ways")) {
                for one in content.elsewhere {
                    li {
                        a(.href(Link(path: "/\(one.alpha2.lowercased())/search?term=\(encoded)") ?? Link("/"))) {
                            visit.name(of: one)
                        }
                    }
                }
                li { text("shop.numbers") }
            }
        }
    }

    private var encoded: String { StorefrontVisit.encoded(term) }
}

/// Something that may be looked for, below the field of the bar.
struct SearchSuggestion: Sendable {
    let title: String
    let link: Link
    /// Its picture; nil of somebody who made something.
    let artwork: Artwork?
    /// What it is, in a word.
    let kind: String

    init(_ suggestion: StorefrontReader.Suggestion, _ tiles: StorefrontTiles) {
        let visit = tiles.visit
        switch suggestion {
        case .item(let listing):
            (title, artwork) = (listing.title, tiles.artwork(listing))
            (link, kind) = (visit.link(listing.link(in: visit.storefront)), visit.name(of: listing.kind))
        case .artist(let artist):
            (title, artwork, kind) = (artist.name, nil, "")
            link = visit.link(artist.link(in: visit.storefront))
        }
    }

    /// The list below the field: in the page, and as the script gets it.
    static func list(_ suggestions: [SearchSuggestion], _ visit: StorefrontVisit) -> Element {
        ul(.class("suggest"), .label(visit.text("shop.suggestions"))) {
            for one in suggestions {
                li {
                    a(.href(one.link)) {
                        if let artwork = one.artwork { artwork.element() } else { span() }
                        span { one.title }
                        small { one.kind }
                    }
                }
            }
        }
    }
}
