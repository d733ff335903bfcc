import Foundation
import FoundationNetworking
import StoreKit

/// Something that the store has found.
struct Finding: Decodable, Hashable, Sendable {
    /// The number of the item, and that of an album, a season or an audiobook.
    private let trackId: Int64?
    private let collectionId: Int64?
    private let trackName: String?
    private let collectionName: String?
    let artistName: String?
    private let formattedPrice: String?
    private let trackPrice: Double?
    private let collectionPrice: Double?
    private let currency: String?
    private let kind: String?
    private let wrapperType: String?

    /// The number that a page is loaded by.
    var identifier: Int64? { trackId ?? collectionId }

    var name: String { trackName ?? collectionName ?? "?" }

    /// What it is, as the store calls it.
    var sort: String { kind ?? wrapperType ?? "" }

    /// In words where the store says it so, as it does of apps and books; else the amount, which is below nothing of what is not
    /// sold by itself.
    var price: String {
        if let formattedPrice { return formattedPrice }
        guard let amount = trackPrice ?? collectionPrice, amount >= 0, let currency else { return "" }
        return amount.formatted(.currency(code: currency).locale(Locale(identifier: "en_US")))
    }
}

/// Asks the store for items, as anybody may.
struct StoreSearch: Sendable {
    private struct Answer: Decodable {
        let results: [Finding]
    }

    /// Why the store did not answer.
    struct Failure: LocalizedError {
        let errorDescription: String?
    }

    /// The most items that are shown.
    private static let limit = 10

    /// Items of all kinds that some words find.
    func items(_ words: String) async throws -> [Finding] {
        try await ask("search", ["term": words, "country": "us", "limit": "\(Self.limit)"])
    }

    /// The app of a bundle id.
    func app(_ bundle: String) async throws -> Finding? {
        try await ask("lookup", ["bundleId": bundle, "country": "us"]).first
    }

    private func ask(_ path: String, _ query: [String: String]) async throws -> [Finding] {
        guard let store = StoreLink.store, var address = URLComponents(url: store, resolvingAgainstBaseURL: false)
        else {
            throw Failure(errorDescription: "The app has no provisioning profile, which says where its store is.")
        }
        address.path = "/\(path)"
        address.queryItems = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        guard let url = address.url else { throw Failure(errorDescription: "This cannot be looked for.") }
        let (data, response) = try await URLSession.shared.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else {
            throw Failure(
                errorDescription: status == 403
                    ? "The store answers so many searches a minute only. Wait a little."
                    : "The store answered with \(status).")
        }
        return try JSONDecoder().decode(Answer.self, from: data).results.filter { $0.identifier != nil }
    }
}
