import StoreCatalogue
import StoreModel
import StoreService

/// What somebody has: apps as a list with their versions, everything else as shelves, each with a way to its file.
struct LibraryPage {
    let visit: StorefrontVisit
    let library: Library.Listing
    let subscriptions: [OwnSubscriptions.Entry]
    /// What is asked for: a part of the storefront, words, an order, and how many are left out.
    let asked: Asked

    struct Asked: Hashable, Sendable {
        var section: StorefrontSection?
        var words = ""
        var order = Library.Order.newest
        var start = 0

        /// Its part of the address.
        func query(from start: Int = 0) -> [(name: String, value: String?)] {
            [
                ("kind", section?.rawValue), ("q", words.isEmpty ? nil : words),
                ("sort", order == .newest ? nil : order.rawValue), ("from", start > 0 ? "\(start)" : nil),
            ]
        }
    }

    private func text(_ name: String, _ arguments: [String: String] = [:]) -> String { visit.text(name, arguments) }
    private var total: Int { library.counts.values.reduce(0, +) }

    var page: StorefrontPage {
        StorefrontPage(visit, text("shop.library")) {
            div(.class("lead-in")) {
                h1 { text("shop.library") }
                if total > 0 {
                    p { visit.text("shop.library_lede", count: total) }
                } else if subscriptions.isEmpty {
                    p { text("shop.library_empty") }
                }
            }
            if !subscriptions.isEmpty { SubscriptionRows(visit: visit, found: subscriptions).part }
            if total > 0 {
                tabs
                seek
                if library.entries.isEmpty {
                    p(.class("muted part")) { text("shop.not_owned", ["term": asked.words]) }
                }
                for section in StorefrontSection.allCases {
                    let entries = library.entries.filter { StorefrontSection($0.listing.kind) == section }
                    if !entries.isEmpty {
                        part(text(section.name)) { section == .apps ? apps(entries) : works(entries) }
                    }
                }
                if asked.start + library.entries.count < library.found {
                    p(.class("more-rows")) {
                        a(.class("button"), .rel("next"), .href(link(asked, from: asked.start + library.entries.count)))
                        {
                            text("shop.further")
                        }
                    }
                }
            }
        }
    }

    private func link(_ asked: Asked, from start: Int = 0) -> Link {
        visit.link("/library", query: asked.query(from: start))
    }

    private var tabs: Element {
        nav(.class("tabs"), .label(text("shop.kinds"))) {
            tab(nil, text("shop.all"), total)
            for section in StorefrontSection.allCases {
                let count = library.counts.filter { StorefrontSection($0.key) == section }.values.reduce(0, +)
                if count > 0 { tab(section, text(section.name), count) }
            }
        }
    }

    private func tab(_ section: StorefrontSection?, _ name: String, _ count: Int) -> Element {
        var other = asked
        other.section = section
        return a(.href(link(other)), section == asked.section ? .isCurrent : nil) {
            name + " "
            span { visit.number(count) }
        }
    }

    private var seek: Element {
        form(.class("seek"), .action(visit.link("/library"))) {
            if let section = asked.section { input(.type("hidden"), .name("kind"), .value(section.rawValue)) }
            input(
                .type("search"), .name("q"), .value(asked.words), .label(text("shop.find_owned")),
                .placeholder(text("shop.find_owned")), .longest(StorefrontLimits.term))
            select(.name("sort"), .label(text("shop.order"))) {
                option(.value(Library.Order.newest.rawValue)) { text("shop.newest_first") }
                option(
                    .value(Library.Order.name.rawValue), asked.order == .name ? .isSelected : nil
                ) { text("shop.by_name") }
            }
            button { text("shop.show") }
        }
    }

    // MARK: Apps

    private func apps(_ entries: [Library.Entry]) -> Element {
        ul(.class("owned-list")) {
            for entry in entries { app(entry) }
        }
    }

    private func app(_ entry: Library.Entry) -> Element {
        let listing = entry.listing
        return li(.id("item\(listing.storeID)")) {
            StorefrontTiles(visit: visit).artwork(listing).element()
            div {
                name(of: entry)
                p { since(entry) }
                if entry.isNewerThanDownload, let version = entry.files.first?.version {
                    p(.class("new")) { "\(text("shop.whats_new")): \(version)" }
                }
            }
            div(.class("row")) {
                if let newest = entry.files.first {
                    a(
                        .class("button primary"), .href(visit.download(newest)), .isDownload,
                        .label(text("shop.download_named", ["title": "\(listing.title) \(newest.version ?? "")"]))
                    ) { "\(text("shop.download")) \(newest.version ?? "")" }
                }
            }
            if entry.files.count > 1 { versions(entry) }
        }
    }

    private func versions(_ entry: Library.Entry) -> Element {
        details(.class("fold")) {
            summary { text("shop.versions") }
            table(.class("versions")) {
                thead {
                    tr {
                        th { text("shop.version_column") }
                        th(.class("opt")) { text("shop.released") }
                        th(.class("num")) { text("shop.size") }
                        th(.class("opt")) { "SHA-256" }
                        th(.class("num")) { text("shop.package") }
                    }
                }
                tbody {
                    for file in entry.files {
                        tr {
                            td { file.version ?? "" }
                            td(.class("opt")) { visit.date(file.addedAt) }
                            td(.class("num")) { visit.size(file.bytes) }
                            td(.class("opt")) {
                                code(.title(file.digest)) { String(file.digest.prefix(12)) + "…" }
                            }
                            td(.class("num")) {
                                a(.href(visit.download(file)), .isDownload) { ItemFrontPage.form(of: file) }
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: Everything else

    private func works(_ entries: [Library.Entry]) -> Element {
        let isHigh = entries.allSatisfy { Artwork.Outline($0.listing.kind) != .album }
        return ul(.class("shelf all" + (isHigh ? " three" : ""))) {
            for entry in entries { work(entry) }
        }
    }

    private func work(_ entry: Library.Entry) -> Element {
        let listing = entry.listing
        return li(.class("tile"), .id("item\(listing.storeID)")) {
            StorefrontTiles(visit: visit).artwork(listing).element()
            name(of: entry)
            p {
                [listing.artist.name, entry.bytes > 0 ? visit.size(entry.bytes) : ""].filter { !$0.isEmpty }.joined(
                    separator: " · ")
            }
            p { since(entry) }
            div(.class("does")) {
                for file in entry.files {
                    a(
                        .href(visit.download(file)), .isDownload,
                        .label(text("shop.download_named", ["title": listing.title]))
                    ) { "\(text("shop.download")) \(ItemFrontPage.form(of: file))" }
                }
            }
            if !entry.parts.isEmpty {
                details(.class("fold parts")) {
                    summary {
                        listing.kind == .season
                            ? visit.text("shop.episode_count", count: entry.parts.count)
                            : visit.text("shop.song_count", count: entry.parts.count)
                    }
                    ol {
                        for part in entry.parts {
                            li {
                                for file in part.files(.package).prefix(1) {
                                    a(
                                        .href(visit.download(file)), .isDownload,
                                        .label(text("shop.download_named", ["title": part.title]))
                                    ) { part.title }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: Both

    /// The name leads to the page of the item as long as there is one.
    private func name(of entry: Library.Entry) -> Element {
        let listing = entry.listing
        return h3(.lang(listing.language)) {
            if entry.isSold {
                a(.href(visit.link(listing.link(in: visit.storefront)))) { listing.title }
            } else {
                listing.title
            }
        }
    }

    private func since(_ entry: Library.Entry) -> String {
        let date = visit.date(entry.since)
        let how =
            entry.ownership == .familyShared
            ? text("shop.shared")
            : entry.paid.isZero
                ? text("shop.got_on", ["date": date])
                : text("shop.bought_on", ["date": date, "price": visit.price(entry.paid)])
        return entry.isSold ? how : "\(how) · \(text("shop.still_yours"))"
    }
}
