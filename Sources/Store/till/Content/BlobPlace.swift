import CommandOptions
import Foundation
import StoreDatabase
import StoreHTTPClient
import StoreService
import Synchronization

/// Where pictures and hosted content are: a folder of the data directory, or a bucket.
enum BlobPlace: Hashable, Sendable {
    case folder
    case bucket(name: String, prefix: String, endpoint: String, region: String)

    /// `folder`, or `s3://bucket/prefix?endpoint=https://host&region=eu-west-1`.
    init?(_ text: String) {
        if text == "folder" {
            self = .folder
            return
        }
        guard let url = URLComponents(string: text), url.scheme == "s3", let bucket = url.host, !bucket.isEmpty,
            url.user == nil, url.port == nil
        else { return nil }
        var (endpoint, region) = ("", "us-east-1")
        for item in url.queryItems ?? [] {
            switch (item.name, item.value) {
            case ("endpoint", let value?): endpoint = value
            case ("region", let value?) where !value.isEmpty: region = value
            default: return nil
            }
        }
        if endpoint.isEmpty { endpoint = "https://s3.\(region).amazonaws.com" }
        guard let service = URLComponents(string: endpoint), ["http", "https"].contains(service.scheme),
            service.host?.isEmpty == false, ["", "/"].contains(service.path), service.query == nil
        else { return nil }
        let prefix = url.path.drop { $0 == "/" }
        let isPlain = prefix.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/-_.".utf8.contains(byte)
        }
        guard isPlain else { return nil }
        self = .bucket(
            name: bucket, prefix: prefix.isEmpty || prefix.hasSuffix("/") ? String(prefix) : "\(prefix)/",
            endpoint: endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint, region: region)
    }

    var text: String {
        switch self {
        case .folder: "folder"
        case .bucket(let name, let prefix, let endpoint, let region):
            "s3://\(name)/\(prefix)?endpoint=\(endpoint)&region=\(region)"
        }
    }
}

/// The options of where blobs are.
enum BlobOptions {
    static let blobs = Option<BlobPlace>.defaulted(
        "blobs",
        ValueFormat(
            "PLACE", rule: "folder, or s3://BUCKET/PREFIX?endpoint=URL&region=REGION", describe: \.text,
            parse: { BlobPlace($0) }),
        to: .folder, environment: "TILL_BLOBS",
        help:
            "Where pictures and hosted content are kept: in the data directory, or in a bucket of S3 or a compatible service, "
            + "whose keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
}

/// The store of blobs, opened when the first is asked for.
final class OpenBlobs: Sendable {
    private let directory: DataDirectory
    private let place: BlobPlace
    private let environment: [String: String]
    private let opened = Mutex<(any BlobStore)?>(nil)

    init(_ directory: DataDirectory, _ place: BlobPlace, environment: [String: String]) {
        self.directory = directory
        self.place = place
        self.environment = environment
    }

    func open() throws -> any BlobStore {
        try opened.withLock { opened in
            if let opened { return opened }
            let store = try make()
            opened = store
            return store
        }
    }

    /// The bucket, opened; nil where blobs are in a folder.
    func openBucket() throws -> S3BlobStore? { place == .folder ? nil : try open() as? S3BlobStore }

    private func make() throws -> any BlobStore {
        guard case .bucket(let name, let prefix, let endpoint, let region) = place else {
            return try FolderBlobStore(folder: directory.blobsPath)
        }
        guard let key = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
            throw CommandFailure(
                .configuration, "--blobs names a bucket, and AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing")
        }
        let credentials = SigningCredentials(
            accessKey: key, secretKey: secret, sessionToken: environment["AWS_SESSION_TOKEN"], region: region)
        // The operator chose the address.
        let client = HTTPClient(HTTPClientConfiguration(addresses: .everywhere))
        return try S3BlobStore(
            S3BlobStore.Place(endpoint: endpoint, bucket: name, prefix: prefix, credentials: credentials),
            client: client, folder: directory.draftsPath, wall: SystemClock.now)
    }
}
