import StoreHTTP

extension HTTPRequest {
    /// What the histories of purchases know the request by; nil for one that never came over a listener.
    var name: String? { id.isEmpty ? nil : id }
}
