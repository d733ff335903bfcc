/// How a client behaves, for all of its requests.
package struct HTTPClientConfiguration: Sendable {
    /// Which addresses may be reached. There is no usual value: who sends webhooks to addresses that others chose, and who
    /// talks to a store on this machine, need opposite ones.
    package var addresses: AddressGuard
    package var limits = ClientLimits()
    package var timeouts = ClientTimeouts()
    package var trust = TrustSettings()
    package var proxy = ProxySettings.direct
    /// Names this program in `User-Agent`.
    package var product = "Till"

    package init(addresses: AddressGuard) {
        self.addresses = addresses
    }
}
