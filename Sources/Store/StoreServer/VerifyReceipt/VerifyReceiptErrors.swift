import StoreHTTP
import StoreService

/// How `verifyReceipt` tells what fails before a body is read: as everything else, with 200 and a status.
struct VerifyReceiptErrors: ErrorForm {
    let refuse: @Sendable (ReceiptRefusal, HTTPRequest) -> HTTPResponse

    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        guard request.method == .post else { return refuse(.method(request.method), request) }
        let status: VerificationStatus = error.status.rawValue >= 500 ? .internalFailure : .malformed
        return refuse(ReceiptRefusal(status, error.message), request)
    }
}

extension ReceiptRefusal {
    static func method(_ method: HTTPMethod) -> ReceiptRefusal {
        ReceiptRefusal(.notPost, "the method is \(method.rawValue), and has to be POST")
    }
}
