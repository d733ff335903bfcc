/// What is told how a request to the store ends.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request was answered; it says nothing more.
    func requestDidFinish(_ request: SKRequest)

    /// The request failed; it says nothing more.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing, for those who need not know.
    public func requestDidFinish(_ request: SKRequest) {}

    /// Does nothing, for those who need not know.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
