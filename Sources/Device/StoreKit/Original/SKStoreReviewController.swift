/// Asks the person to review the app.
// Safe: it holds nothing.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Makes a controller; there is no need to.
    public override init() { super.init() }

    /// Asks for a review, if the store thinks that the time is right; it has no reviews by people yet, so it never is.
    open class func requestReview() {}
}
