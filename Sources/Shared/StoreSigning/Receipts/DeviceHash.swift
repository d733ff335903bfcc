/// The hash by which a receipt knows its device.
package enum DeviceHash {
    /// SHA-1 over the device identifier, the opaque value, and the bundle identifier in the DER of its attribute.
    package static func compute(identifier: [UInt8], opaqueValue: [UInt8], bundleID: String) throws -> [UInt8] {
        try DigestAlgorithm.sha1.digest(identifier + opaqueValue + DER.utf8String(bundleID))
    }
}
