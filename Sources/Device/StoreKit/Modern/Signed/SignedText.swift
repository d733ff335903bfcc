import Foundation
import StoreSigning

/// A value as the store signed it, a compact JWS, with its payload.
struct SignedText: Hashable, Sendable {
    /// The JWS.
    let jws: String
    /// The payload, byte for byte as it was signed; empty where the text is no JWS.
    let payload: [UInt8]

    init(_ jws: String) {
        self.jws = jws
        payload = Self.decoded(jws, 1)
    }

    /// A value that was verified before, with its payload.
    init(_ jws: String, payload: [UInt8]) {
        self.jws = jws
        self.payload = payload
    }

    /// Values are equal that say the same; a signature differs each time it is made.
    static func == (first: SignedText, second: SignedText) -> Bool { first.payload == second.payload }

    func hash(into hasher: inout Hasher) { payload.withUnsafeBytes { hasher.combine(bytes: $0) } }

    var header: Data { Data(Self.decoded(jws, 0)) }
    var signature: Data { Data(Self.decoded(jws, 2)) }
    /// What the signature is of: the first two parts with the point between.
    var signedData: Data {
        Data(jws.utf8.prefix(upTo: jws.utf8.lastIndex(of: UInt8(ascii: ".")) ?? jws.utf8.startIndex))
    }

    /// The payload as text, for people.
    var debugText: String { String(decoding: payload, as: UTF8.self) }

    private static func decoded(_ jws: String, _ part: Int) -> [UInt8] {
        // In its place, by bytes: a long history is read by this.
        var jws = jws
        return jws.withUTF8 { text in
            let (bytes, point) = (UnsafeRawBufferPointer(text), UInt8(ascii: "."))
            guard let first = bytes.firstIndex(of: point),
                let second = bytes[(first + 1)...].firstIndex(of: point),
                !bytes[(second + 1)...].contains(point)
            else { return [] }
            let place = [0..<first, first + 1..<second, second + 1..<bytes.count][part]
            return Base64.decode(UnsafeRawBufferPointer(rebasing: bytes[place]), .url) ?? []
        }
    }
}
