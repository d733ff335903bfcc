/// What an address of the network is for (the special-purpose registries of IANA, RFC 6890 and after).
package enum AddressKind: String, Hashable, Sendable, CaseIterable {
    /// Anywhere on the internet.
    case `public`
    /// This machine.
    case loopback
    /// A network of one house: 10/8, 172.16/12, 192.168/16, fc00::/7.
    case `private`
    /// Between a customer and a carrier: 100.64/10.
    case shared
    /// One cable: 169.254/16, where clouds tell secrets, and fe80::/10.
    case linkLocal
    case multicast
    /// No address: 0.0.0.0 and ::, by which this machine is reached nevertheless.
    case unspecified
    /// Examples and measurements, which belong to nobody.
    case documentation
    /// For protocols, for old ways of translation, or for nothing yet.
    case reserved
}
