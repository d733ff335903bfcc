import CommandOptions
import StoreModel

/// The address under which the world reaches a listener.
struct PublicURL: Hashable, Sendable, CustomStringConvertible {
    let address: StoreAddress

    /// Without a slash at the end.
    var description: String { address.description }

    /// `http` or `https` with a host and nothing after the port, as every path is the store's own.
    init?(_ text: String) {
        guard let address = StoreAddress(text) else { return nil }
        self.address = address
    }

    static let format = ValueFormat<PublicURL>(
        "URL", rule: "an address with http:// or https://, perhaps a port, and no path", describe: { $0.description },
        parse: { PublicURL($0) })
}
