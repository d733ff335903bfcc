import StoreKit

/// Writes down what requests tell it.
// Safe: everything but the transcript is set before the request starts, and used on the main queue.
final class RecordingDelegate: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    let transcript: Transcript
    private(set) var response: SKProductsResponse?
    private(set) var error: (any Error)?
    var received: (SKProductsRequest) -> Void = { _ in }

    init(_ transcript: Transcript) { self.transcript = transcript }

    private func write(_ line: String) {
        dispatchPrecondition(condition: .onQueue(.main))
        transcript.write(line)
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        self.response = response
        write("response")
        received(request)
    }

    func requestDidFinish(_ request: SKRequest) { write("finished \(type(of: request))") }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        self.error = error
        write("failed \((error as? SKError)?.code.rawValue ?? -1)")
    }
}
