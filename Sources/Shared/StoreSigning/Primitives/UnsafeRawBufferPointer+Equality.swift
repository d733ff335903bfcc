import Glibc

extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes. The C library compares many at once, and there are thousands.
    package func holdsSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }
}
