/// An Advanced Commerce request made inside the app.
package struct AdvancedCommerceTerms: OfferTerms {
    package static let audience = "advanced-commerce-api"
    /// The JSON of the request in Base64.
    package var request: String

    package init(request: String) {
        self.request = request
    }
}
