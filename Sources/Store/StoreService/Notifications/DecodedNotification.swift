package import StoreFoundation
package import StoreSigning

/// What a notification says once everything in it that is signed is read: for people and for programs that look at it.
package struct DecodedNotification: Hashable, Sendable {
    /// All that it says; a signed part is the object that was signed, under the name of the part.
    package let payload: JSONNode
    /// Whether it is signed, which the first version is not.
    package let isSigned: Bool
    /// What is wrong with a signature; nil if all are good, or there is none.
    package let problem: String?

    /// How many values may lie within one another.
    private static let depth = 16

    /// Reads the body of a request: of the second version with a signed payload, of the first without.
    package init(body: [UInt8], verifier: JWSVerifier) {
        guard let node = try? JSONNode(body, depth: Self.depth) else {
            (payload, isSigned, problem) = (.null, false, "it is not JSON")
            return
        }
        guard let signed = node.members["signedPayload"]?.string else {
            (payload, isSigned, problem) = (node, false, nil)
            return
        }
        var problem: String?
        payload = Self.read(signed, as: "signedPayload", verifier, &problem)
        (isSigned, self.problem) = (true, problem)
    }

    /// Reads something signed, and what is signed in it.
    private static func read(
        _ jws: String, as name: String, _ verifier: JWSVerifier, _ problem: inout String?
    ) -> JSONNode {
        let segments = jws.split(separator: ".", omittingEmptySubsequences: false)
        do {
            _ = try verifier.verify(jws)
        } catch {
            problem = problem ?? "\(name): \((error as? SigningError)?.message ?? "\(error)")"
        }
        guard segments.count == 3, let bytes = Base64.decode(segments[1], .url),
            let node = try? JSONNode(bytes, depth: depth)
        else { return .text(jws) }
        return readMembers(of: node, verifier, &problem)
    }

    private static func readMembers(
        of node: JSONNode, _ verifier: JWSVerifier, _ problem: inout String?
    ) -> JSONNode {
        guard case .object(let members) = node else { return node }
        var read: [String: JSONNode] = [:]
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            if name.hasPrefix("signed"), let jws = member.string {
                read[name] = Self.read(jws, as: name, verifier, &problem)
            } else {
                read[name] = readMembers(of: member, verifier, &problem)
            }
        }
        return .object(read)
    }
}
