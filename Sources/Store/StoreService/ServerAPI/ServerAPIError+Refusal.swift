package import StoreCatalogue
import StoreModel

extension ServerAPIError {
    /// The same as our own interfaces say it.
    package var refusal: ServiceError {
        let parameters: [Code: String] = [
            .invalidExtendByDays: "days", .invalidExtendReason: "reason",
            .invalidRequestIdentifier: "requestIdentifier",
            .invalidProductID: "productId", .emptyStorefronts: "storefronts", .invalidStorefront: "storefronts",
            .originalNotFound: "subscriptionId", .statusRequestNotFound: "requestIdentifier",
        ]
        let refusal: RefusalCode =
            switch code {
            case .originalNotFound, .invalidOriginalTransactionID: .subscriptionUnknown
            case .statusRequestNotFound: .nameUnknown
            default: code.status == 403 ? .stateWrong : .valueInvalid
            }
        return ServiceError(refusal, reason, parameter: parameters[code])
    }
}
