package import StoreHTTP

/// Sends requests by HTTP and HTTPS, over TCP and sockets of the file system, through libcurl.
///
/// One thread owns everything of libcurl; tasks wait without a thread. Cancelling a task ends its request at once. A client
/// keeps connections open for later requests; ``shutDown()`` ends everything in order, and so does letting go of it.
package final class HTTPClient: Sendable {
    package let configuration: HTTPClientConfiguration
    let loop: ClientLoop
    /// Where downloads wait for disks.
    let disk = DiskThread()

    package init(_ configuration: HTTPClientConfiguration) {
        self.configuration = configuration
        loop = ClientLoop(configuration)
        loop.start()
    }

    deinit { loop.stop() }

    /// Ends all requests and connections and returns when they are gone. Later requests are refused.
    package func shutDown() async {
        loop.stop()
        await loop.ended()
    }

    /// How many requests have begun and not ended.
    package var requestsOnTheirWay: Int { loop.exchanges }

    /// Sends a request and returns the response with its whole body, up to a limit.
    ///
    /// Throws ``HTTPClientError`` and nothing else: its outcome says whether the request may have been carried out, also when
    /// the task was cancelled.
    @discardableResult package func send(_ request: ClientRequest, limit: Int? = nil) async throws -> ClientResponse {
        let limit = limit ?? configuration.limits.collectedBodyBytes
        var redirections = Redirections(request, limit: configuration.limits.redirections)
        while true {
            let request = redirections.request
            let url = try check(request)
            let response = try await exchange(request, at: url) { waiting in
                CollectingReceiver(limit: limit, wantsDecompression: request.acceptsCompression, waiting: waiting)
            }
            guard try redirections.follow(response.status, response.fields, from: url) else { return response }
        }
    }

    /// Sends a request and returns when the head of the response is there; its body holds the server back while it is not
    /// read. Letting go of the body, or cancelling the task that reads it, ends the request.
    package func stream(_ request: ClientRequest) async throws -> TransportResponse {
        var redirections = Redirections(request, limit: configuration.limits.redirections)
        while true {
            let request = redirections.request
            let url = try check(request)
            let response = try await exchange(request, at: url) { waiting in
                StreamingReceiver(limit: configuration.limits.streamedBytes, waiting: waiting)
            }
            guard try redirections.follow(response.status, response.fields, from: url) else { return response }
            response.body.giveUp()
        }
    }

    /// How many of libcurl's transfers exist in this process: none when all requests have ended.
    package static var openHandles: Int { EasyHandle.count }

    /// The address of a request that can be sent.
    func check(_ request: ClientRequest) throws(HTTPClientError) -> ClientURL {
        do throws(HTTPClientError) {
            let url = try ClientURL(request.url)
            try HeaderLines.check(request)
            try checkAddress(of: url, request)
            return url
        } catch {
            request.body.giveUp()
            throw error
        }
    }

    /// An address written into the URL is judged before anything else, since a proxy would connect to it for us.
    private func checkAddress(of url: ClientURL, _ request: ClientRequest) throws(HTTPClientError) {
        guard request.socketPath == nil else { return }
        let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        guard let address = NetworkAddress(host), !configuration.addresses.allows(address) else { return }
        let message = "\(url.place) is a \(address.kind.rawValue) address, which this client must not reach."
        throw HTTPClientError(.addressRefused, message, outcome: .notSent)
    }

    private func exchange<Answer: Sendable>(
        _ request: ClientRequest, at url: ClientURL,
        receiver: (CheckedContinuation<Answer, any Error>) -> any ResponseReceiver
    ) async throws -> Answer {
        let cancellation = ExchangeCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                let exchange = Exchange(request, at: url, receiver: receiver(waiting), on: loop)
                cancellation.attach(exchange)
                exchange.begin()
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
