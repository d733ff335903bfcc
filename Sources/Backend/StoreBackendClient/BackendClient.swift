public import Foundation
import StoreHTTP
package import StoreHTTPClient
import StoreModel

/// The app's half of the developer's own server.
///
/// It has the list of what is for sale, also offline; sends the receipt along with the request for content; brings content that
/// goes on where it stopped; and keeps the order in which a purchase is to be handled. Whatever was bought comes back on every
/// device on which the user signs in.
///
/// ```swift
/// let client = try BackendClient(address: "https://magazines.example", bundleID: "com.example.magazines", folder: folder)
/// let saved = try await client.delivery(of: product, proof: receipt) { queue.finishTransaction(transaction) }.download()
/// let activated = try saved.activate { try shelf.put($0) }
/// let issue = activated.finish()
/// show(issue.content)
/// ```
///
/// Functions throw ``BackendClientError``.
public final class BackendClient: Sendable {
    let connection: ServerConnection
    let folder: ClientFolder
    let encoding: ProofEncoding
    let downloadPolicy: RetryPolicy
    private let bundleID: BundleID
    private let appVersion: String?

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - address: the address of the server, with https; http only on this machine.
    ///   - bundleID: the app.
    ///   - appVersion: the version of the app, by which the server chooses what it offers.
    ///   - folder: where the client keeps what it has; the app keeps nothing else there.
    ///   - encoding: how proofs are sent.
    ///   - certificates: a file of certificates in PEM that are trusted instead of the system's.
    public convenience init(
        address: String, bundleID: String, appVersion: String? = nil, folder: URL, encoding: ProofEncoding = .raw,
        certificates: URL? = nil
    ) throws {
        try self.init(
            address: address, bundleID: bundleID, appVersion: appVersion, folder: folder, encoding: encoding,
            certificates: certificates, policy: RetryPolicy(attempts: ClientLimit.attempts),
            downloadPolicy: RetryPolicy(attempts: ClientLimit.downloadAttempts))
    }

    package init(
        address: String, bundleID: String, appVersion: String? = nil, folder: URL, encoding: ProofEncoding = .raw,
        certificates: URL? = nil, policy: RetryPolicy, downloadPolicy: RetryPolicy
    ) throws {
        do throws(InvalidValue) {
            self.bundleID = try BundleID(parsing: bundleID)
        } catch {
            throw BackendClientError.invalid("\(error)")
        }
        self.appVersion = appVersion
        self.encoding = encoding
        self.downloadPolicy = downloadPolicy
        connection = try ServerConnection(address: address, certificates: certificates?.path, policy: policy)
        self.folder = try ClientFolder(folder.path)
    }

    /// Ends all requests.
    public func close() async { await connection.client.shutDown() }

    // MARK: What is for sale

    private struct KeptList: Codable {
        var tag: String?
        /// What it was asked with; a list for another version of the app is of no use.
        var address: String
        var appVersion: String?
        var answer: ProductListAnswer
    }

    /// What the server offers: the newest list, or the last one if it cannot be asked now.
    ///
    /// Ask again whenever customers look: a list that has not changed costs an exchange without a body. Throws if the server
    /// cannot be asked and there is no earlier list.
    public func offeredProducts() async throws -> OfferedProducts {
        let kept = keptList
        var request = connection.request(.get, listPath + ServerConnection.query(["appVersion": appVersion]))
        if let tag = kept?.tag { request.fields["If-None-Match"] = tag }
        do {
            let response = try await connection.send(request, expecting: kept == nil ? [200] : [200, 304])
            if response.status.rawValue == 304, let kept { return OfferedProducts(kept.answer) }
            let answer = try ServerConnection.decode(ProductListAnswer.self, response.body)
            guard answer.bundleId == bundleID else { throw BackendClientError.notAServer }
            let list = KeptList(
                tag: response.fields["ETag"], address: connection.address, appVersion: appVersion, answer: answer)
            try folder.write(list, to: "products.json")
            return OfferedProducts(answer)
        } catch let error as BackendClientError where error.isRetryable && error.code != .cancelled {
            guard let kept else { throw error }
            return OfferedProducts(kept.answer, staleness: error)
        }
    }

    /// The last list, without asking; nil if there never was one.
    public var lastOfferedProducts: OfferedProducts? { keptList.map { OfferedProducts($0.answer) } }

    private var keptList: KeptList? {
        folder.read("products.json", as: KeptList.self).flatMap { list in
            let isOurs =
                list.address == connection.address && list.appVersion == appVersion
                && list.answer.bundleId == bundleID
            return isOurs ? list : nil
        }
    }

    /// Tells the server which products of its list the store does not know, so that its operator learns of it.
    ///
    /// - Parameter identifiers: the `invalidProductIdentifiers` of the store's response; an empty list asks nothing.
    public func reportUnknownProducts(_ identifiers: [String]) async throws {
        let products = try identifiers.prefix(UnknownProductsRequest.longest).map { try Self.product($0) }
        guard !products.isEmpty else { return }
        var request = connection.request(.post, listPath + "/unknown")
        try request.setBody(UnknownProductsRequest(productIds: products))
        request.isRepeatableByItself = true
        _ = try await connection.send(request, expecting: [204])
    }

    private var listPath: String { ServerConnection.path("v1", "apps", bundleID.text, "products") }

    static func product(_ identifier: String) throws -> ProductID {
        guard ClientFolder.isName(identifier), let product = try? ProductID(parsing: identifier) else {
            throw BackendClientError.invalid("\"\(identifier)\" is no product id.")
        }
        return product
    }

    // MARK: Content

    /// Where content is that was paid for; a proof is recorded with it.
    func contentAnswer(
        _ product: ProductID, quantity: Int? = nil, proof: Data? = nil
    ) async throws -> ContentAnswer {
        let query = ServerConnection.query(["quantity": quantity.map(String.init), "appVersion": appVersion])
        var request = connection.request(
            .post, ServerConnection.path("v1", "content", product.text) + query, token: try token)
        request.isRepeatableByItself = true
        if let proof { try request.setProof(proof, encoding) }
        // The answer names the place of the file; a client that follows would get the file itself.
        let answer = try await connection.send(request, expecting: [303], as: ContentAnswer.self)
        guard answer.productId == product, ClientFolder.isName(answer.name),
            (0...ClientLimit.contentBytes).contains(answer.bytes), answer.sha256.utf8.count == 64,
            answer.sha256.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw BackendClientError.notAServer }
        return answer
    }

    /// What a proof pays for, recorded for the user.
    func record(_ proof: Data) async throws -> [RecordedPurchase] {
        var request = connection.request(.post, ServerConnection.path("v1", "purchases"), token: try token)
        try request.setProof(proof, encoding)
        return try await connection.send(request, as: RecordedAnswer.self).recorded
    }
}
