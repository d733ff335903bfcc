/// Computes a digest piece by piece.
package protocol ContentDigest {
    mutating func update(_ bytes: UnsafeRawBufferPointer) throws
    mutating func finish() throws -> [UInt8]
}

/// The digest that a file must have.
package struct ExpectedDigest: Sendable {
    let bytes: [UInt8]
    let make: @Sendable () throws -> any ContentDigest

    /// `make` begins the computation of a digest of the kind that `bytes` is.
    package init(_ bytes: [UInt8], _ make: @escaping @Sendable () throws -> any ContentDigest) {
        self.bytes = bytes
        self.make = make
    }
}
