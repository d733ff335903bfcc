/// What is told the answer to a request for products.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store has answered; ``SKRequestDelegate/requestDidFinish(_:)`` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
