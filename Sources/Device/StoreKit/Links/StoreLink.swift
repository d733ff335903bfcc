public import Foundation
import StoreModel

/// A link to a page of the store.
///
/// Links have many forms: with the addresses of the web and with the schemes of store apps (`itms-apps://`), with a country or
/// without, with a name that people read, and with what affiliates add. Each has the number of an item or of whoever made
/// it, and one form is canonical.
///
/// ```swift
/// let link = StoreLink("https://itunes.apple.com/us/app/ibooks/id364709193?mt=8&at=11l")
/// link?.storeIdentifier  // 364709193
/// link?.path             // "/us/app/ibooks/id364709193?mt=8"
/// ```
///
/// The number is what ``SKStoreProductViewController`` takes. Where a page cannot be shown in the app, ``open()`` shows it
/// outside. Apple's platforms have no such type; apps take numbers from links themselves there.
public struct StoreLink: Hashable, Sendable, CustomStringConvertible {
    private let link: StoreModel.StoreLink

    /// Reads a link of any form and host; nil for what is none, and for one without a number.
    public init?(_ text: String) {
        guard let link = try? StoreModel.StoreLink(parsing: text) else { return nil }
        self.link = link
    }

    /// Reads a link of any form and host; nil for what is none, and for one without a number.
    public init?(_ url: URL) { self.init(url.absoluteString) }

    /// The link of the page of an item.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the number of the item; above 0.
    ///   - name: the name of the item, which people read in the link.
    ///   - country: the country, two letters; without it the store takes that of whoever opens the link.
    public init?(storeIdentifier: Int64, name: String = "", country: String? = nil) {
        let storefront = country.flatMap { StorefrontRecord.storefront(alpha2: $0.uppercased()) }
        guard storeIdentifier > 0, country == nil || storefront != nil else { return nil }
        link = StoreModel.StoreLink(.app, named: name, storeID: storeIdentifier, in: storefront)
    }

    /// The number of the item, or of whoever made it.
    public var storeIdentifier: Int64 { link.storeID }

    /// The number of the song of the album, or the episode of the season, that is meant.
    public var itemIdentifier: Int64? { link.item }

    /// The country, two lowercase letters; nil if the link leaves it open.
    public var country: String? { link.country }

    /// The canonical path of the page, with its query.
    public var path: String { link.path }

    /// The address of the page in the store of the app; nil if the app has no provisioning profile.
    public var url: URL? { Self.store.flatMap { URL(string: $0.absoluteString + path) } }

    /// The address of the store of the app, as its provisioning profile has it; nil if it has none.
    ///
    /// What everybody may ask of the store is below it, such as the search for items: `/search?term=…`.
    public static var store: URL? { CurrentSession.session.storeAddress.flatMap { URL(string: $0.description) } }

    /// Opens the page in the browser, outside the app; says whether it could.
    public func open() -> Bool { url.map { BrowserPrompt.show($0.absoluteString) } ?? false }

    /// The canonical path.
    public var description: String { path }
}
