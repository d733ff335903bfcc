import Foundation
import StoreCatalogue
import StoreModel
import StoreService

/// What others say of an item: the mean, how many gave how many stars, and the newest texts.
struct ReviewsPart {
    let visit: StorefrontVisit
    let item: ItemListing
    let content: StorefrontReader.Reviews
    /// Whether the reader has it, and may say something too.
    let owns: Bool

    private func text(_ name: String, _ arguments: [String: String] = [:]) -> String { visit.text(name, arguments) }

    /// A mean as it is shown, to a tenth.
    static func shown(_ average: Double, _ visit: StorefrontVisit) -> String {
        average.formatted(.number.precision(.fractionLength(1)).locale(visit.locale))
    }

    /// A part of the page of the item.
    var part: Element {
        let more: (text: String, link: Link)? =
            content.count > content.reviews.count
            ? (text: visit.text("shop.all_reviews", count: content.count), link: reviewsLink) : nil
        return StoreWeb.part(text("shop.reviews"), id: "reviews", more: more) {
            score
            if content.reviews.isEmpty {
                p(.class("muted")) { text("shop.no_reviews") }
            } else {
                list
            }
        }
    }

    private var reviewsLink: Link { visit.link("/reviews/\(item.storeID)") }

    @HTMLBuilder var score: [any HTML] {
        let score = content.score
        div(.class("score")) {
            if let average = score.average {
                div {
                    b { Self.shown(average, visit) }
                    stars(Int(average * 10), text("shop.stars", ["rating": Self.shown(average, visit)]))
                    p(.class("muted")) { visit.text("shop.ratings_count", count: score.count) }
                }
                ul(.class("bars")) {
                    for number in ReviewLimits.stars.reversed() {
                        let count = score.counts[number - 1]
                        li {
                            span { "\(number)" }
                            progress(
                                .most(max(1, score.count)), .value("\(count)"),
                                .label(visit.text("shop.stars_count", count: number))
                            ) { "\(count)" }
                            span { visit.number(count) }
                        }
                    }
                }
            }
            if owns {
                p(.class("act")) {
                    a(.class("button"), .href(visit.link("/review", ("item", "\(item.storeID)")))) {
                        text(content.own == nil ? "shop.write_review" : "shop.change_review")
                    }
                }
                if let standing = Self.standing(of: content.own?.state) { p(.class("muted")) { text(standing) } }
            }
        }
    }

    /// The name of the text that says why the reader's own review is not on the page; nil if it is, or if there is none.
    static func standing(of state: CustomerReview.State?) -> String? {
        switch state {
        case .hidden?: "shop.review_hidden"
        case .held?: "shop.review_held"
        default: nil
        }
    }

    var list: Element {
        div(.class("reviews")) {
            for review in content.reviews { article(review) }
        }
    }

    @HTMLBuilder private func article(_ review: CustomerReview) -> [any HTML] {
        if let said = review.text {
            StoreWeb.article(.class("review"), .id("review\(review.id)")) {
                h3 { said.title }
                p(.class("said")) {
                    stars(review.stars * 10, text("shop.stars", ["rating": "\(review.stars)"]))
                    if review.version.isEmpty {
                        text("shop.said", ["name": said.nickname, "date": visit.date(review.changedAt)])
                    } else {
                        text(
                            "shop.said_of",
                            ["name": said.nickname, "date": visit.date(review.changedAt), "version": review.version])
                    }
                }
                for line in said.body.split(whereSeparator: \.isNewline) { p { String(line) } }
                if let answer = review.answer {
                    div(.class("answer")) {
                        p(.class("said")) {
                            text("shop.answered", ["name": item.artist.name, "date": visit.date(answer.at)])
                        }
                        for line in answer.text.split(whereSeparator: \.isNewline) { p { String(line) } }
                    }
                }
                footer {
                    a(.href(visit.link("/report", ("review", "\(review.id)")))) {
                        text("shop.report")
                        span(.class("unseen")) { ": \(said.title)" }
                    }
                }
            }
        }
    }

    /// All texts about an item, a page of them.
    ///
    /// - Parameters:
    ///   - next: the page that follows.
    ///   - told: what was done on the page before.
    func page(next: Link?, told: String? = nil) -> StorefrontPage {
        let heading = "\(text("shop.reviews")): \(item.title)"
        var page = StorefrontPage(visit, heading) {
            div(.class("lead-in")) {
                h1 { text("shop.reviews") }
                p { a(.href(visit.link(item.link(in: visit.storefront)))) { item.title } }
            }
            if let told { p(.class("told"), .role("status")) { told } }
            StoreWeb.section(.class("part")) {
                score
                if content.reviews.isEmpty { p(.class("muted")) { text("shop.no_reviews") } } else { list }
                if let next {
                    p(.class("more-rows")) { a(.class("button"), .rel("next"), .href(next)) { text("shop.further") } }
                }
            }
        }
        page.section = StorefrontSection(item.kind)
        page.description = heading
        page.canonical = reviewsLink
        return page
    }
}

/// An artist or a developer, and what is here of them, a kind under the other.
struct ArtistPage {
    let tiles: StorefrontTiles
    let content: StorefrontReader.ArtistContent

    private var visit: StorefrontVisit { tiles.visit }

    var page: StorefrontPage {
        let name = content.artist.name
        var page = StorefrontPage(visit, name) {
            div(.class("lead-in")) { h1 { name } }
            for (kind, listings) in content.works where !listings.isEmpty {
                part(visit.heading(of: kind)) {
                    if kind == .song || kind == .episode {
                        trackTable(listings, tiles)
                    } else {
                        list(listings.map(tiles.tile))
                    }
                }
            }
        }
        page.description = ([name] + content.works.flatMap(\.listings).prefix(3).map(\.title)).joined(separator: " · ")
        page.canonical = Link(path: content.artist.link(in: visit.storefront).path)
        page.kind = "profile"
        page.picture = content.works.lazy.flatMap(\.listings).compactMap(\.artwork).first.map(visit.link)
        page.section = content.works.first.map { StorefrontSection($0.kind) }
        return page
    }
}

/// Songs or episodes of many, each with its maker.
func trackTable(_ listings: [ItemListing], _ tiles: StorefrontTiles) -> Element {
    let visit = tiles.visit
    return table(.class("tracks")) {
        caption(.class("unseen")) {
            listings.first?.kind == .episode ? visit.text("shop.chapters") : visit.text("shop.tracks")
        }
        thead(.class("unseen")) {
            tr {
                th { visit.text("shop.sample") }
                th { listings.first.map { visit.name(of: $0.kind) } ?? "" }
                th { visit.text("shop.time") }
                th { visit.text("shop.price") }
            }
        }
        tbody {
            for listing in listings { TrackRow(tiles: tiles, listing: listing).row }
        }
    }
}
