/// How much content may be. Every reader of packages and archives stays below these.
package struct ContentLimits: Hashable, Sendable {
    /// The most bytes of a package, and of the archive made of it: 2 GB, counted as disks are, so that it stays below 2 GiB
    /// too, which is the most that some file systems and 32-bit programs can take.
    package var packageBytes: Int64 = 2_000_000_000
    /// The most bytes of all files together.
    package var unpackedBytes: Int64 = 4_000_000_000
    /// How many times more bytes there may be than the package has. It is looked at above ``bytesBelowRatio``: a little
    /// text is often compressed a thousandfold.
    package var ratio: Int64 = 200
    package var bytesBelowRatio: Int64 = 64 << 20
    /// The most files, folders and links.
    package var entries = 20_000
    package var pathBytes = 1024
    package var nameBytes = 255
    package var depth = 32
    /// The most bytes of a table of contents, as it is stored and as it is read.
    package var storedTableBytes = 8 << 20
    package var tableBytes = 32 << 20
    /// The most bytes of `ContentInfo.plist`.
    package var infoBytes = 16 << 10
    /// How many findings are told at once.
    package var findings = 1000

    package init() {}
}
