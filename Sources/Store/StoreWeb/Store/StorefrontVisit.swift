import Foundation
import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

/// Who looks at a page of the storefront: in which country and language, as whom, and at which page.
struct StorefrontVisit: Sendable {
    let environment: StoreEnvironment
    let storefront: StorefrontRecord
    let texts: Texts
    /// Who is signed in; nil for everybody else.
    let session: WebSession?
    /// The last part of the address of a view inside an app; nil in a browser of its own.
    var view: String?
    /// The app that shows the view.
    var app: AppID?
    /// The number of the window of the view, whose closing ends it.
    var window: Int?
    /// The page without its country, with what of its query makes it another page: `/app/ebb/id7?mt=8`, empty at home.
    var place: String
    let prices: PriceText
    /// Where this store is reached, for addresses that other programs read; nil where it is not known.
    let address: StoreAddress?

    /// The country as paths write it.
    var country: String { storefront.alpha2.lowercased() }

    /// The language as tags write it, for numbers, dates and names.
    var locale: Locale { Locale(identifier: "\(texts.language.replacing("-", with: "_"))_\(storefront.alpha2)") }

    func text(_ name: String, _ arguments: [String: String] = [:]) -> String { texts.page(name, arguments) }

    /// A text that depends on a number, which it shows as the language writes it.
    func text(_ name: String, count: Int, _ arguments: [String: String] = [:]) -> String {
        var all = arguments.mapValues { TextArgument.text($0) }
        all["count"] = .number(count)
        all["shown"] = .text(number(count))
        return texts(name, all)
    }

    // MARK: What languages write in their own way

    func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }

    /// What something costs: free, or the amount.
    func price(_ money: Money) -> String {
        money.isZero ? text("shop.free") : prices.text(of: money, language: texts.language, storefront: storefront)
    }

    func date(_ instant: Instant, withTime: Bool = false) -> String {
        var style = Date.FormatStyle(date: .long, time: withTime ? .shortened : .omitted, locale: locale)
        style.timeZone = .gmt
        return Date(timeIntervalSince1970: Double(instant.millisecondsSinceEpoch) / 1000).formatted(style)
    }

    func year(_ instant: Instant) -> String { String(instant.rfc3339.prefix(4)) }

    /// How many bytes something has, in units of a thousand.
    func size(_ bytes: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var (amount, unit) = (Double(bytes), 0)
        while amount >= 999.5, unit < units.count - 1 { (amount, unit) = (amount / 1000, unit + 1) }
        let digits = amount < 9.95 && unit > 0 ? 1 : 0
        let shown = amount.formatted(.number.precision(.fractionLength(digits)).locale(locale))
        return "\(shown) \(units[unit])"
    }

    /// How long something plays, as people say it.
    func length(_ milliseconds: Int64) -> String {
        let seconds = Int((milliseconds + 500) / 1000)
        guard seconds >= 60 else { return text("shop.seconds", ["seconds": number(seconds)]) }
        let minutes = Int((milliseconds + 30_000) / 60_000)
        guard minutes >= 60 else { return text("shop.minutes", ["minutes": "\(minutes)"]) }
        return text("shop.hours", ["hours": "\(minutes / 60)", "minutes": "\(minutes % 60)"])
    }

    /// How long something plays, as lists of songs have it.
    static func clock(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds + 500) / 1000
        let tail = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return seconds < 3600
            ? "\(seconds / 60):\(tail(seconds % 60))"
            : "\(seconds / 3600):\(tail(seconds / 60 % 60)):\(tail(seconds % 60))"
    }

    /// What a tag of a language is called in the language of the page.
    func name(ofLanguage tag: String) -> String {
        locale.localizedString(forIdentifier: tag.replacing("-", with: "_")) ?? tag
    }

    /// What the country is called in the language of the page.
    var countryName: String { name(of: storefront) }

    func name(of storefront: StorefrontRecord) -> String {
        locale.localizedString(forRegionCode: storefront.alpha2) ?? storefront.name
    }

    // MARK: Where things are

    /// A page of the storefront in the country of the visit.
    ///
    /// - Parameters:
    ///   - path: what follows the country; empty for home.
    ///   - query: the rest of the address; names without a value are left out.
    func link(_ path: String, _ query: (name: String, value: String?)...) -> Link {
        link(path, query: query)
    }

    func link(_ path: String, query: [(name: String, value: String?)]) -> Link {
        Self.link("/\(country)\(path)", query + [(name: "view", value: view)])
    }

    /// What is done with the view inside an app; nil in a browser of its own.
    func viewLink(_ act: String) -> Link? { view.flatMap { Link(path: "/view/\(PercentEncoding.encode($0))/\(act)") } }

    /// The page of an item or an artist.
    func link(_ link: StoreLink) -> Link { Self.link(link.path, [("view", view)]) }

    /// The page that a link is of, without its country.
    static func place(of link: StoreLink) -> String {
        var link = link
        link.country = nil
        return link.path
    }

    /// The same page in another country.
    func link(in other: StorefrontRecord) -> Link { Link(path: "/\(other.alpha2.lowercased())\(place)") ?? Link("/") }

    /// The address of something for other programs, with the host; nil where that is not known.
    func whole(_ link: Link) -> Link? { address.flatMap { Link(web: "\($0)\(link.text)") } }

    /// A text as addresses have it.
    static func encoded(_ text: String) -> String { PercentEncoding.encode(text) }

    /// The same without the app in which the page is shown: what is not the item itself leaves it.
    var leaving: StorefrontVisit {
        var other = self
        other.view = nil
        return other
    }

    private static func link(_ path: String, _ query: [(name: String, value: String?)]) -> Link {
        let items = query.compactMap { item in item.value.map { "\(item.name)=\(PercentEncoding.encode($0))" } }
        guard !items.isEmpty else { return Link(path: path) ?? Link("/") }
        return Link(path: path + (path.contains("?") ? "&" : "?") + items.joined(separator: "&")) ?? Link("/")
    }
}
