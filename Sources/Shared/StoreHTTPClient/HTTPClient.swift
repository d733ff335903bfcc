package import StoreHTTP

/// Sends requests by HTTP and HTTPS, over TCP and Unix domain sockets, through libcurl.
///
/// One thread owns everything of libcurl; tasks wait without a thread. Cancelling a task ends its request at once. A
/// client keeps connections open for later requests; ``shutDown()`` and deinitialization end everything.
package final class HTTPClient: Sendable {
    package let configuration: HTTPClientConfiguration
    let loop: ClientLoop
    /// The thread on which downloads use the disk.
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

    /// The number of unfinished requests.
    package var requestsOnTheirWay: Int { loop.exchanges }

    /// Sends a request and returns the response with its whole body, up to a limit.
    ///
    /// Throws ``HTTPClientError`` only: its outcome says whether the request may have been carried out, also when the
    /// task was cancelled.
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

    /// Sends a request and returns when the head of the response is there; its body holds the server back while it is
    /// not read. Releasing the body, or cancelling the task that reads it, ends the request.
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

    /// An address in the URL is checked first, since a proxy would connect to it for us.
    private func checkAddress(of url: ClientURL, _ request: ClientRequest) throws(HTTPClientError) {
        guard request.socketPath == nil else { return }
        let addresses = request.addresses ?? configuration.addresses
        guard let address = url.address, !addresses.allows(address) else { return }
        let message = "\(url.place) is \(address.kind.words), which this client must not reach."
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

/// One service as seen through a client: requests name a target there, as they do in memory.
package struct ClientTransport: HTTPTransport {
    private let client: HTTPClient
    private let origin: String
    private let socketPath: String?

    /// `origin` is scheme, host and port, like `https://store.example:8443`. With a Unix domain socket it only gives
    /// the requests their `Host`.
    package init(_ client: HTTPClient, origin: String, socketPath: String? = nil) {
        self.client = client
        self.origin = origin
        self.socketPath = socketPath
    }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        var sent = ClientRequest(
            HTTPMethod(rawValue: request.method), origin + request.target, fields: request.fields,
            socketPath: socketPath)
        sent.fields["Content-Length"] = nil
        switch request.body {
        case .empty: break
        case .collected(let bytes): sent.body = .bytes(bytes)
        case .streaming(let stream):
            sent.body = .stream(length: request.fields["Content-Length"].flatMap { Int($0) }, stream)
        }
        return try await client.stream(sent)
    }
}
