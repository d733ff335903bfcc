public import Foundation
import StoreSigning

/// The place of ``Signing/ECDSASignature``, which CryptoKit has on Apple's platforms. Nothing else of it is here.
public enum P256: Sendable {
    /// Signatures with keys on the curve P-256.
    public enum Signing: Sendable {
        /// A signature, in two forms.
        public struct ECDSASignature: Hashable, Sendable {
            /// Both numbers, of 32 bytes each.
            public var rawRepresentation: Data

            /// The signature in DER; empty where it has not 64 bytes.
            public var derRepresentation: Data {
                Data(StoreSigning.ECDSASignature.der(fromRaw: Array(rawRepresentation)) ?? [])
            }

            /// A signature of 64 bytes; throws otherwise.
            public init<Bytes: DataProtocol>(rawRepresentation: Bytes) throws {
                guard rawRepresentation.count == 64 else {
                    throw SigningError(.malformed, "a signature on the curve P-256 has 64 bytes")
                }
                self.rawRepresentation = Data(rawRepresentation)
            }

            init(unchecked bytes: Data) {
                rawRepresentation = bytes
            }
        }
    }
}
