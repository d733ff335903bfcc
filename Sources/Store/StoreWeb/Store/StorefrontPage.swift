import Foundation
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

/// A page of the storefront: the bar above, what it is about, and the foot.
struct StorefrontPage {
    let visit: StorefrontVisit
    let title: String
    /// A sentence about it, for search engines and for those to whom it is sent; empty for pages that are for one person.
    var description = ""
    /// Its one address, where it is not that which was asked for.
    var canonical: Link?
    /// A picture of what it is about.
    var picture: Link?
    /// What kind of thing it is, as the Open Graph protocol says it.
    var kind = "website"
    /// What it is about, for other programs.
    var data: [StructuredData] = []
    /// The shelf that it belongs to, for the bar.
    var section: StorefrontSection?
    /// What was looked for, which stays in the field of the bar.
    var term = ""
    var suggestions: [SearchSuggestion] = []
    let content: [any HTML]

    init(_ visit: StorefrontVisit, _ title: String, @HTMLBuilder content: () -> [any HTML]) {
        self.visit = visit
        self.title = title
        self.content = content()
    }

    /// Whether anybody may see it who has its address.
    private var isPublic: Bool { !description.isEmpty }

    var page: Page {
        let name = visit.environment == .sandbox ? "\(title) · Sandbox · Till" : "\(title) · Till"
        return Page(
            name, in: visit.texts.language, kind: visit.environment == .sandbox ? "store sandbox" : "store", more: head
        ) {
            a(.class("skip"), .href(Link("#main"))) { visit.text("shop.skip") }
            if visit.environment == .sandbox {
                aside(.class("band"), .label("Sandbox")) { visit.text("sheet.sandbox") }
            }
            if visit.view == nil { bar } else { viewBar }
            main(
                .id("main"), visit.window.map { .view($0) }, visit.viewLink("closing").map { .closing($0) }
            ) { content }
            if visit.view == nil { foot }
        }
    }

    @HTMLBuilder private var head: [any HTML] {
        link(.rel("stylesheet"), .href(WebAssets.storefront.link))
        if isPublic {
            meta(.name("description"), .content(description))
            if let canonical, let address = visit.whole(canonical) {
                link(.rel("canonical"), .href(address))
                meta(.property("og:url"), .content(address.text))
            }
            meta(.property("og:title"), .content(title))
            meta(.property("og:description"), .content(description))
            meta(.property("og:type"), .content(kind))
            meta(.property("og:site_name"), .content("Till"))
            meta(.property("og:locale"), .content(visit.locale.identifier))
            if let picture, let address = visit.whole(picture) {
                meta(.property("og:image"), .content(address.text))
            }
            meta(.name("twitter:card"), .content("summary"))
            for one in data { one }
        } else {
            meta(.name("robots"), .content("noindex"))
        }
    }

    // MARK: The bar

    private var bar: Element {
        header(.class("shop")) {
            a(.class("brand"), .href(visit.link(""))) {
                img(.src(WebAssets.icon.link), .alt(""), .width(22), .height(22))
                "Till"
            }
            nav(.class("kinds"), .label(visit.text("shop.store"))) {
                for one in StorefrontSection.allCases where one.isInBar {
                    a(.href(visit.link(one.path)), one == section ? .isCurrent : nil) { visit.text(one.name) }
                }
            }
            search
            div(.class("mine")) {
                countries
                a(.href(visit.link("/library")), section == nil && visit.place == "/library" ? .isCurrent : nil) {
                    visit.text("shop.library")
                }
                account
            }
        }
    }

    /// In an app there is one thing to do with the whole page: to leave it.
    private var viewBar: Element {
        header(.class("shop view")) {
            form(.isPost, .action(visit.viewLink("done") ?? Link("/"))) {
                button(.class("primary")) { visit.text("shop.done") }
            }
        }
    }

    private var search: Element {
        form(.class("search"), .role("search"), .autocomplete("off"), .action(visit.link("/search"))) {
            label(.class("unseen"), .for("q")) { visit.text("shop.search") }
            input(
                .id("q"), .name("term"), .type("search"), .value(term), .placeholder(visit.text("shop.search_hint")),
                .longest(StorefrontLimits.term), .isSearch,
                .suggestions(visit.link("/suggestions")), .suggestionsLabel(visit.text("shop.suggestions")))
            kbd(.isHidden) { "/" }
            button(.class("unseen")) { visit.text("shop.search_go") }
            if !suggestions.isEmpty { SearchSuggestion.list(suggestions, visit) }
        }
    }

    private var countries: Element {
        details(.class("country")) {
            summary {
                span(.class("unseen")) { visit.text("shop.country") + " " }
                visit.countryName
            }
            div {
                ul {
                    for one in StorefrontCountries.near(visit.storefront) {
                        li { StorefrontCountries.link(to: one, visit) }
                    }
                }
                p {
                    a(.href(visit.link("/countries", ("to", visit.place.isEmpty ? nil : visit.place)))) {
                        visit.text("shop.countries_all")
                    }
                }
            }
        }
    }

    @HTMLBuilder private var account: [any HTML] {
        if let session = visit.session {
            form(.isPost, .action(visit.link("/sign-out", ("to", visit.place)))) {
                button(.class("quiet"), .title(session.name)) { visit.text("shop.sign_out") }
            }
        } else {
            a(.href(visit.link("/sign-in", ("to", visit.place)))) { visit.text("sheet.sign_in") }
        }
    }

    // MARK: The foot

    private var foot: Element {
        footer(.class("foot")) {
            div {
                form(.action(visit.link(StorefrontVisit.path(of: visit.place)))) {
                    for item in StorefrontVisit.query(of: visit.place) where item.name != "l" {
                        input(.type("hidden"), .name(item.name), .value(item.value))
                    }
                    label {
                        visit.text("shop.language")
                        select(.name("l")) {
                            for language in Texts.languages {
                                option(.value(language), language == visit.texts.language ? .isSelected : nil) {
                                    Self.name(ofLanguage: language)
                                }
                            }
                        }
                    }
                    button { visit.text("shop.change") }
                }
                nav(.label(visit.text("shop.foot"))) {
                    a(.href(Link("/redeem"))) { visit.text("shop.redeem") }
                    a(.href(visit.link("/countries"))) { visit.text("shop.countries") }
                }
                p { visit.text("shop.taxes") }
            }
        }
    }

    /// What a language calls itself.
    private static func name(ofLanguage language: String) -> String {
        let locale = Locale(identifier: language.replacing("-", with: "_"))
        let name = locale.localizedString(forIdentifier: language.replacing("-", with: "_")) ?? language
        return name.prefix(1).uppercased(with: locale) + name.dropFirst()
    }
}

extension StorefrontVisit {
    /// The part of a place before its query.
    static func path(of place: String) -> String { String(place.prefix { $0 != "?" }) }

    /// The query of a place.
    static func query(of place: String) -> [QueryItems.Item] {
        QueryItems(parsing: place.drop { $0 != "?" }.dropFirst())?.all ?? []
    }
}

/// The limits of the pages of the storefront.
enum StorefrontLimits {
    /// The longest text that is looked for, in characters.
    static let term = 200
    /// The longest address of a page that others lead back to, in bytes.
    static let place = 2000
    /// Things on one page of a list.
    static let listed = 60
    /// Reviews on the page of an item, and on one page of all of them.
    static let reviewsShown = 4
    static let reviews = 30
    /// Subjects below each kind at home.
    static let subjects = 8
    /// Pages that are remembered, and the bytes of all of them.
    static let remembered = 2000
    static let rememberedBytes = 32 << 20
}

/// The parts of the storefront, as its bar names them.
enum StorefrontSection: String, CaseIterable, Sendable {
    case apps, music, films, tv, books, audiobooks

    /// Audiobooks are found below books, so that the bar has room on a telephone.
    var isInBar: Bool { self != .audiobooks }

    var path: String { "/\(rawValue)" }

    /// The names of its text, and of that which leads to all of it.
    var name: String {
        switch self {
        case .apps: "shop.apps"
        case .music: "shop.music"
        case .films: "shop.films"
        case .tv: "shop.tv"
        case .books: "shop.books"
        case .audiobooks: "shop.audiobooks"
        }
    }

    var all: String {
        switch self {
        case .apps: "shop.all_apps"
        case .music: "shop.all_music"
        case .films: "shop.all_films"
        case .tv: "shop.all_tv"
        case .books: "shop.all_books"
        case .audiobooks: "shop.all_audiobooks"
        }
    }
}
