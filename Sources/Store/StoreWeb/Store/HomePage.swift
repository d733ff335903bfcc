import StoreCatalogue
import StoreModel
import StoreService

/// Home: what was chosen for it, the newest of each kind, and the subjects. What is empty is left out with its heading.
struct HomePage {
    let tiles: StorefrontTiles
    let content: StorefrontReader.Home

    private var visit: StorefrontVisit { tiles.visit }

    var page: StorefrontPage {
        var page = StorefrontPage(visit, visit.text("shop.title")) {
            h1(.class("unseen")) { visit.text("shop.home") }
            features
            for section in StorefrontSection.allCases {
                if let listings = content.newest[section.kind], !listings.isEmpty {
                    part(visit.text(section.name), more: (visit.text(section.all), visit.link(section.path))) {
                        list(listings.map(tiles.tile), isDeck: section == .apps)
                    }
                    if section == .music { charts }
                }
            }
            if content.newest.values.allSatisfy(\.isEmpty) { p(.class("lede")) { visit.text("shop.empty") } }
            subjects
        }
        page.description = visit.text("shop.title")
        page.canonical = visit.link("")
        page.picture = content.features.first.flatMap { $0.files(.wide).first }.map(visit.link)
        return page
    }

    @HTMLBuilder private var features: [any HTML] {
        if !content.features.isEmpty {
            section(.class("features"), .label(visit.text("shop.chosen"))) {
                for (index, listing) in content.features.prefix(3).enumerated() {
                    feature(listing, isLead: index == 0)
                }
            }
        }
    }

    private func feature(_ listing: ItemListing, isLead: Bool) -> Element {
        let name = a(
            .href(visit.link(listing.link(in: visit.storefront))), tiles.language(of: listing).map { .lang($0) }
        ) {
            listing.title
        }
        let first = listing.description.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return article(.class(isLead ? "feature lead" : "feature")) {
            Artwork(
                wide: listing.files(.wide).first.map(visit.link), else: listing.artwork.map(visit.link),
                title: listing.title
            ).element(isLazy: false)
            p(.class("eyebrow")) { visit.name(of: listing.kind) }
            if isLead { h2 { name } } else { h3 { name } }
            if isLead {
                if !first.isEmpty { p(.class("read"), .lang(listing.language)) { first } }
                div(.class("named")) {
                    tiles.artwork(listing).element(isLazy: false)
                    div {
                        b { listing.artist.name }
                        if let genre = listing.genre {
                            br()
                            span(.class("muted")) { genre.name }
                        }
                    }
                    tiles.cost(listing).element
                }
            } else {
                p(.class("muted")) { listing.artist.name }
            }
        }
    }

    @HTMLBuilder private var charts: [any HTML] {
        let lists = [
            ("shop.chart_paid", content.charts.paidApps), ("shop.chart_free", content.charts.freeApps),
            ("shop.albums", content.charts.albums),
        ].filter { !$0.1.isEmpty }
        if !lists.isEmpty {
            part(visit.text("shop.charts")) {
                div(.class("charts")) {
                    for (name, listings) in lists {
                        div {
                            h3 { visit.text(name) }
                            ol(.class("rows one")) {
                                for (index, listing) in listings.enumerated() {
                                    tiles.tile(listing).row(rank: index + 1)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private var subjects: [any HTML] {
        let there = StorefrontSection.allCases.compactMap { section in
            content.genres[section.kind].flatMap { $0.isEmpty ? nil : (section, $0) }
        }
        if !there.isEmpty {
            part(visit.text("shop.subjects")) {
                div(.class("browse")) {
                    for (section, genres) in there {
                        div {
                            h3 { visit.text(section.name) }
                            ul {
                                for genre in genres.prefix(StorefrontLimits.subjects) {
                                    li { a(.href(visit.link(section.path, ("genre", "\(genre.id)")))) { genre.name } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// All of a kind, or of one of its subjects, the newest first.
struct CategoryPage {
    let tiles: StorefrontTiles
    let section: StorefrontSection
    let genre: Genre?
    let content: StorefrontReader.Category
    /// From where on, for the ways to the pages before and after.
    let offset: Int

    private var visit: StorefrontVisit { tiles.visit }

    var page: StorefrontPage {
        let name = visit.text(section.name)
        let title = genre.map { "\(name): \($0.name)" } ?? name
        var page = StorefrontPage(visit, title) {
            div(.class("lead-in")) {
                h1 { title }
                // The bar has no room for both.
                if section == .books {
                    p { a(.href(visit.link(StorefrontSection.audiobooks.path))) { visit.text("shop.all_audiobooks") } }
                }
            }
            if !content.genres.isEmpty {
                nav(.class("tabs"), .label(visit.text("shop.genre"))) {
                    a(.href(visit.link(section.path)), genre == nil ? .isCurrent : nil) { visit.text("shop.all") }
                    for one in content.genres {
                        a(
                            .href(visit.link(section.path, ("genre", "\(one.genre.id)"))),
                            one.genre == genre ? .isCurrent : nil
                        ) {
                            one.genre.name + " "
                            span { visit.number(one.count) }
                        }
                    }
                }
            }
            if content.listings.isEmpty {
                p(.class("lede")) { visit.text("shop.empty") }
            } else {
                StoreWeb.section(.class("part")) {
                    h2(.class("unseen")) { visit.text("shop.newest") }
                    grid
                }
            }
            if content.hasMore {
                p(.class("more-rows")) {
                    a(.class("button"), .rel("next"), .href(next)) { visit.text("shop.further") }
                }
            }
        }
        page.section = section
        page.description = title
        page.canonical = visit.link(
            section.path, ("genre", genre.map { "\($0.id)" }), ("offset", offset > 0 ? "\(offset)" : nil))
        return page
    }

    private var next: Link {
        visit.link(
            section.path, ("genre", genre.map { "\($0.id)" }), ("offset", "\(offset + content.listings.count)"))
    }

    /// All of them, none out of sight.
    private var grid: Element {
        let shown = content.listings.map(tiles.tile)
        if section == .apps { return rows(shown) }
        return ul(.class("shelf all" + (section == .music || section == .audiobooks ? "" : " three"))) {
            for tile in shown { tile.tile() }
        }
    }
}
