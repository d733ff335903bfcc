/// `delegate.request?(request, didFailWithError: error)`, as apps call it on Apple's platforms.
///
/// There every optional method may be missing. Here each has a body, so that there is always one to call.
public struct OptionalRequestMethod {
    let delegate: any SKRequestDelegate

    /// Tells the delegate that its request failed.
    public func callAsFunction(_ request: SKRequest, didFailWithError error: any Error) {
        delegate.request(request, didFailWithError: error)
    }
}

extension SKRequestDelegate {
    /// What `delegate.request?(…)` calls.
    @_disfavoredOverload
    public var request: OptionalRequestMethod? { OptionalRequestMethod(delegate: self) }

    /// What `delegate.requestDidFinish?(request)` calls.
    @_disfavoredOverload
    public var requestDidFinish: ((SKRequest) -> Void)? { { self.requestDidFinish($0) } }
}
