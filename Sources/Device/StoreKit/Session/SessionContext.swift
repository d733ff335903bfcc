/// An engine together with the payment queue that serves it, for a test of its own.
package final class SessionContext: Sendable {
    package let session: any OriginalSession
    package let queue: SKPaymentQueue

    package init(_ session: any OriginalSession) {
        self.session = session
        queue = SKPaymentQueue(serving: session)
        queue.delivery.serve(self)
    }
}
