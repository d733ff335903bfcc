import StoreCatalogue
import StoreModel
import StoreService

/// The pages of albums and seasons: the cover beside the songs or episodes, each with its sample and its price.
extension ItemFrontPage {
    var sleeve: Element {
        article(.class("sleeve")) {
            div(.class("cover")) { tiles.artwork(listing).element(isLazy: false, words: words) }
            div {
                p(.class("eyebrow")) { eyebrow }
                h1(tiles.language(of: listing).map { .lang($0) }) { listing.title }
                p(.class("maker")) { maker }
                ItemAct(visit: visit, listing: listing, isOwned: isOwned).form {
                    extent
                    if let average = content.reviews.score.average {
                        let shown = ReviewsPart.shown(average, visit)
                        br()
                        stars(Int(average * 10), text("shop.stars", ["rating": shown]))
                        " \(shown) · "
                        a(.href(Link("#reviews"))) {
                            visit.text("shop.ratings_count", count: content.reviews.score.count)
                        }
                    }
                }
                tracks
            }
        }
    }

    private var words: String { listing.files(.artwork).first?.alternativeText ?? "" }

    /// How many songs, and how long all of them play.
    private var extent: String {
        let children = content.page.children
        let count = visit.text(kind == .album ? "shop.song_count" : "shop.episode_count", count: children.count)
        let length = children.compactMap(\.item.milliseconds).reduce(0, +)
        return length > 0 ? "\(count), \(visit.length(length))" : count
    }

    @HTMLBuilder private var tracks: [any HTML] {
        let children = content.page.children
        if !children.isEmpty {
            let discs = Set(children.map { $0.item.disc ?? 1 })
            table(.class("tracks")) {
                caption(.class("unseen")) { kind == .album ? text("shop.tracks") : text("shop.chapters") }
                thead {
                    tr {
                        th { span(.class("unseen")) { text("shop.sample") } }
                        th(.class("no")) { span(.class("unseen")) { text("shop.number") } }
                        th { kind == .album ? visit.name(of: .song) : visit.name(of: .episode) }
                        th(.class("num time")) { text("shop.time") }
                        th(.class("num")) { text("shop.price") }
                    }
                }
                tbody {
                    for (index, child) in children.enumerated() {
                        if discs.count > 1, index == 0 || child.item.disc != children[index - 1].item.disc {
                            tr {
                                th(.columns(5)) { text("shop.disc", ["number": "\(child.item.disc ?? 1)"]) }
                            }
                        }
                        TrackRow(tiles: tiles, listing: child, isChosen: child.storeID == chosen, maker: listing.artist)
                            .row
                    }
                }
            }
        }
    }
}

/// A song or an episode in a list: its sample, its number, its name, how long it plays, and what it costs by itself.
struct TrackRow {
    let tiles: StorefrontTiles
    let listing: ItemListing
    var isChosen = false
    /// Whose name is not said again; nil where each song has its own.
    var maker: Artist?

    private var visit: StorefrontVisit { tiles.visit }

    var row: Element {
        tr(.id("i\(listing.storeID)"), isChosen ? .class("chosen") : nil) {
            td {
                if let sample = listing.files(.preview).first {
                    SamplePlayer(visit: visit, file: sample, title: listing.title).button
                }
            }
            if maker != nil { td(.class("no")) { listing.item.number.map(String.init) ?? "" } }
            td(.class("name"), tiles.language(of: listing).map { .lang($0) }) {
                if maker == nil {
                    a(.href(visit.link(listing.link(in: visit.storefront)))) { listing.title }
                } else {
                    listing.title
                }
                if maker?.storeID != listing.artist.storeID { small { listing.artist.name } }
            }
            td(.class("num muted time")) { listing.item.milliseconds.map(StorefrontVisit.clock) ?? "" }
            td(.class("num")) { act }
        }
    }

    @HTMLBuilder private var act: [any HTML] {
        if !tiles.owned.contains(listing.storeID), let price = listing.price {
            let arguments = ["title": listing.title, "price": visit.price(price)]
            form(.isPost, .action(visit.link("/buy", ("to", visit.place)))) {
                input(.type("hidden"), .name("item"), .value("\(listing.storeID)"))
                button(
                    .class("button price"),
                    .label(visit.text(price.isZero ? "shop.get_named" : "shop.buy_named", arguments))
                ) { visit.price(price) }
            }
        } else {
            tiles.cost(listing).element
        }
    }
}
