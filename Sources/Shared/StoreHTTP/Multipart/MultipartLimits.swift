/// How much of a `multipart/form-data` body is taken.
package struct MultipartLimits: Hashable, Sendable {
    /// The longest boundary that the format allows.
    package static let boundaryBytes = 70

    package var parts: Int
    /// The fields of one part, in bytes; also what may stand before the first.
    package var headBytes: Int
    /// The body of one part, in bytes.
    package var partBytes: Int

    package init(parts: Int = 64, headBytes: Int = 8 * 1024, partBytes: Int = HTTPLimits.collectedBodyBytes) {
        self.parts = parts
        self.headBytes = headBytes
        self.partBytes = partBytes
    }
}
