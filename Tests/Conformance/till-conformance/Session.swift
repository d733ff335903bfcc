import StoreSigning

/// What earlier requests made, by handle.
final class Session {
    private var made: [String: Any] = [:]

    /// Keeps a value and answers the handle that later requests name it by.
    func keep(_ value: some Any) -> String {
        let handle = "\(type(of: value))-\(made.count + 1)"
        made[handle] = value
        return handle
    }

    func value<Value>(_ handle: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value = made[handle] as? Value else {
            throw SigningError(.unknownHandle, "no \(type) has the handle \(handle)")
        }
        return value
    }
}
