import Foundation
import StoreKit

/// Asks for the receipt, once.
@MainActor
final class ReceiptRequest: NSObject {
    private let request = SKReceiptRefreshRequest()
    private let ended: @MainActor ((any Error)?) -> Void

    /// - Parameter ended: is told how it ended.
    init(_ ended: @escaping @MainActor ((any Error)?) -> Void) {
        self.ended = ended
        super.init()
        request.delegate = self
        request.start()
    }
}

extension ReceiptRequest: @MainActor SKRequestDelegate {
    func requestDidFinish(_ request: SKRequest) { ended(nil) }

    func request(_ request: SKRequest, didFailWithError error: any Error) { ended(error) }
}
