/// How much a store of blobs takes on.
package struct BlobLimits: Hashable, Sendable {
    /// How many bytes one blob may have.
    package var bytesPerBlob: Int64 = 4 << 30
    /// How many bytes one read gives.
    package var bytesPerRead = 16 << 20

    package init() {}
}
