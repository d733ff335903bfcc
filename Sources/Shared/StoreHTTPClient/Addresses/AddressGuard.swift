/// Which addresses a client may connect to.
///
/// It is asked for every socket, after names have been resolved: whatever a name leads to at that moment, in whatever
/// spelling, after however many redirections. Behind a proxy only the proxy's address is seen here, which the operator
/// chose: it is let through, addresses written into a URL are still judged, and what names lead to is for the proxy to judge.
package struct AddressGuard: Hashable, Sendable {
    /// The kinds that may be reached.
    package let allowed: Set<AddressKind>

    package init(allowing allowed: Set<AddressKind>) {
        self.allowed = allowed
    }

    /// Only what anybody on the internet can reach: for addresses that others chose.
    package static let publicOnly = AddressGuard(allowing: [.public])
    /// Everything: for addresses that the operator chose.
    package static let everywhere = AddressGuard(allowing: Set(AddressKind.allCases))

    package func allows(_ address: NetworkAddress) -> Bool { allowed.contains(address.kind) }
}
