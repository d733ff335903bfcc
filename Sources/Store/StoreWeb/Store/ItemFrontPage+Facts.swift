import StoreCatalogue
import StoreModel
import StoreService

extension ItemFrontPage {
    /// What is known of an item, a line each, and the ways out of the store.
    @HTMLBuilder var information: [any HTML] {
        part(text("shop.information")) {
            dl(.class("facts")) {
                for entry in entries {
                    dt { entry.name }
                    dd { entry.value }
                }
            }
            if !ways.isEmpty {
                p(.class("leave")) {
                    for way in ways {
                        a(
                            .class("out"), .href(way.link), .rel("noopener nofollow"),
                            visit.view == nil ? nil : .inNewWindow
                        ) {
                            way.name
                        }
                    }
                }
            }
        }
    }

    private var entries: [(name: String, value: [any HTML])] {
        let item = listing.item
        var entries: [(name: String, value: [any HTML])] = []
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { entries.append((text(name), [value])) }
        }
        add("shop.seller", content.seller)
        if let genre = listing.genre {
            let link = visit.leaving.link(StorefrontSection(kind).path, ("genre", "\(genre.id)"))
            let name = kind == .app ? text("shop.category") : text("shop.genre")
            entries.append((name, [a(.href(link)) { genre.name }]))
        }
        add(kind == .app ? "shop.updated" : "shop.released", visit.date(updatedAt))
        add("shop.length", item.milliseconds.map(visit.length))
        add("shop.languages", item.languages.map(visit.name(ofLanguage:)).joined(separator: ", "))
        add("shop.age", item.rating)
        if item.explicitness == .explicit { add("shop.explicit", "E") }
        add("shop.size", packages.map(\.bytes).max().map(visit.size))
        entries.append((text("shop.store_id"), [span(.class("id")) { "\(listing.storeID)" }]))
        if let isbn = item.isbn { entries.append(("ISBN", [span(.class("id")) { isbn }])) }
        if let upc = item.upc { entries.append((text("shop.bar_code"), [span(.class("id")) { upc }])) }
        if kind == .app, !packages.isEmpty { entries.append((text("shop.package"), digests)) }
        add("shop.copyright", item.copyright)
        return entries
    }

    private var updatedAt: Instant {
        kind == .app ? listing.version?.version.changedAt ?? listing.item.releasedAt : listing.item.releasedAt
    }

    /// The digest of each package, by which it can be told whether it is the one that was approved.
    private var digests: [any HTML] {
        packages.map { file in
            details {
                summary { "SHA-256 \(Self.form(of: file))" }
                code { file.digest }
            }
        }
    }

    private var ways: [(name: String, link: Link)] {
        let addresses = [
            ("shop.support", listing.item.supportAddress), ("shop.maker_site", listing.item.makerAddress),
            ("shop.privacy", listing.item.privacyAddress),
        ]
        return addresses.compactMap { name, address in
            address.flatMap { Link(web: $0) }.map { (text(name), $0) }
        }
    }
}

/// The button of an item: it buys, gets or downloads, and says so with the amount in it.
struct ItemAct {
    let visit: StorefrontVisit
    let listing: ItemListing
    let isOwned: Bool

    /// The button with words beside it.
    func form(isBig: Bool = true, @HTMLBuilder _ words: () -> [any HTML]) -> Element {
        let words = words()
        let size = isBig ? " big" : ""
        if isOwned {
            return div(.class("act")) {
                a(.class("button primary\(size)"), .href(file)) { visit.text("shop.download") }
                if !words.isEmpty { p { words } }
            }
        }
        guard let price = listing.price else {
            return div(.class("act")) {
                p(.class("muted")) { visit.text("shop.not_here", ["country": visit.countryName]) }
            }
        }
        return StoreWeb.form(.class("act"), .isPost, .action(visit.link("/buy", ("to", visit.place)))) {
            input(.type("hidden"), .name("item"), .value("\(listing.storeID)"))
            button(.class("primary\(size)")) { label(for: price) }
            if !words.isEmpty { p { words } }
        }
    }

    /// The file of what is owned; what consists of several has them in the library.
    private var file: Link {
        let packages = listing.version?.packages ?? listing.files(.package)
        guard let file = packages.first, !listing.kind.isCollection else { return visit.link("/library") }
        return visit.download(file)
    }

    private func label(for price: Money) -> String {
        if price.isZero { return visit.text("sheet.get") }
        let arguments = ["price": visit.price(price)]
        return switch listing.kind {
        case .album: visit.text("shop.buy_album", arguments)
        case .season: visit.text("shop.buy_season", arguments)
        default: visit.text("sheet.buy", arguments)
        }
    }
}

/// A sample that is heard or seen on the page. Without a script the round button is a link to the file.
struct SamplePlayer {
    let visit: StorefrontVisit
    let file: ItemFile
    let title: String

    private var isVideo: Bool { file.mediaType.hasPrefix("video/") }

    /// The round button of a row.
    var button: Element {
        a(
            .class("play"), .href(visit.link(file)), .label(visit.text("shop.play", ["title": title])),
            .plays(isVideo ? "video" : "audio"), .pauseLabel(visit.text("shop.pause", ["title": title])),
            .progressText(visit.text("shop.played")))
    }

    /// The button with its words, where it stands by itself.
    var element: Element {
        p(.class("sampled")) {
            button
            span(.class("name")) { isVideo ? visit.text("shop.trailer") : visit.text("shop.listen") }
        }
    }
}
