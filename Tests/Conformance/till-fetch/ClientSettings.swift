import Foundation
import StoreHTTPClient

/// The settings of a client, as tests from outside write them.
struct ClientSettings: Decodable {
    var isPublicOnly: Bool?
    var usesEnvironment: Bool?
    var authorities: String?
    var idleSeconds: Int?
    var totalSeconds: Int?

    var configuration: HTTPClientConfiguration {
        var configuration = HTTPClientConfiguration(addresses: isPublicOnly == true ? .publicOnly : .everywhere)
        if usesEnvironment == true { configuration.proxy = .environment }
        if let authorities { configuration.trust = TrustSettings(.file(authorities)) }
        if let idleSeconds { configuration.timeouts.idle = .seconds(idleSeconds) }
        configuration.timeouts.total = .seconds(totalSeconds ?? 60)
        return configuration
    }
}
