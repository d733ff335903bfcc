import StoreFoundation
import StoreHTTP
import StoreService

/// The members of a body of the App Store Server API.
///
/// Members that nobody knows are left alone, null is as good as missing, and a value of another kind is as wrong as one that is
/// not allowed.
struct ServerBody {
    private let members: [String: JSONNode]

    init(_ request: HTTPRequest) throws(ServerAPIError) {
        guard case .object(let members)? = try? JSONNode(request.body.bytes, depth: HTTPLimits.jsonDepth) else {
            throw ServerAPIError(.generalBadRequest, "the body is an object in JSON")
        }
        self.members = members.filter { $0.value != .null }
    }

    /// The names of all that it says.
    var names: Set<String> { Set(members.keys) }

    /// All that it says, in one order whatever order it stands in.
    var canonicalText: String { JSONNode.object(members).text }

    func text(_ name: String, or code: ServerAPIError.Code) throws(ServerAPIError) -> String? {
        try value(name, is: "a text", or: code) { if case .text(let text) = $0 { text } else { nil } }
    }

    func integer(_ name: String, or code: ServerAPIError.Code) throws(ServerAPIError) -> Int? {
        try value(name, is: "a whole number", or: code) { node in
            guard case .number(let digits) = node else { return nil }
            return Int(digits) ?? Double(digits).flatMap(Int.init(exactly:))
        }
    }

    func flag(_ name: String, or code: ServerAPIError.Code) throws(ServerAPIError) -> Bool? {
        try value(name, is: "true or false", or: code) { if case .flag(let flag) = $0 { flag } else { nil } }
    }

    func texts(_ name: String, or code: ServerAPIError.Code) throws(ServerAPIError) -> [String]? {
        try value(name, is: "a list of texts", or: code) { node in
            guard case .list(let nodes) = node else { return nil }
            let texts = nodes.compactMap { if case .text(let text) = $0 { text } else { nil } }
            return texts.count == nodes.count ? texts : nil
        }
    }

    private func value<Value>(
        _ name: String, is rule: String, or code: ServerAPIError.Code, _ read: (JSONNode) -> Value?
    ) throws(ServerAPIError) -> Value? {
        guard let node = members[name] else { return nil }
        guard let value = read(node) else { throw ServerAPIError(code, "\(name) is \(rule)") }
        return value
    }
}
