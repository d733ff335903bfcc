import StoreHTTPClient

/// Says what addresses are for.
struct KindsOperation: Decodable {
    let addresses: [String]

    func run() -> [String] { addresses.map { NetworkAddress($0)?.kind.rawValue ?? "none" } }
}
