package import StoreModel

/// What an app says of itself when it registers.
package struct DeviceDescription: Hashable, Sendable {
    package var appVersion: String
    /// The language of the process, `en-US`, for where the person has set none.
    package var language: String
    /// Where the device is, by its region.
    package var storefront: StorefrontCode?

    package init(appVersion: String, language: String, storefront: StorefrontCode? = nil) {
        self.appVersion = appVersion
        self.language = language
        self.storefront = storefront
    }
}
