import StoreHTTP
import StoreModel
import StoreRules

extension RefusalCode {
    /// The code of the error that StoreKit gives the app for it, of the domain `SKErrorDomain`. Devices have no table of
    /// their own, so that a store can name new reasons to apps that are older than it.
    var storeKitCode: Int {
        switch self {
        case .cancelled, .expired: 2
        case .quantityOutOfRange, .valueInvalid: 3
        case .notAllowed: 4
        case .productUnavailable: 5
        case .simulator: 5002
        case .passwordForgotten: 5020
        default: 0
        }
    }
}

/// The form of errors of `/device/v1`: that of all interfaces, with the code of StoreKit beside it.
struct DeviceErrorForm: ErrorForm {
    private let form = JSONErrorForm { error in
        [.init("storeKitCode", .integer(RefusalCode(rawValue: error.code).storeKitCode))]
    }

    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        form.response(to: error, for: request)
    }
}

extension PurchaseFailureAnswer {
    init(_ failure: PurchaseFailure) {
        let message =
            switch failure.code {
            case .cancelled: "The customer cancelled the purchase."
            case .expired: "Nobody confirmed the purchase in time."
            case .notAllowed: "In-app purchases are not allowed here."
            case .productUnavailable: "The product is not sold in the storefront of the account."
            case .noPaymentMethod: "The account has no payment method."
            case .beingPaid: "Another purchase of the same product is being paid at this moment."
            case .declined: "The payment was declined."
            case .passwordForgotten: "Another password was asked for instead of signing in."
            case .accountGone: "The account was deleted."
            default: "The store could not take the payment."
            }
        self.init(
            code: failure.code, detail: failure.detail, message: message, storeKitCode: failure.code.storeKitCode)
    }
}
