import TestSupport
import Testing

@testable import StoreSigning

@Suite struct DeviceHashTests {
    // `printf IDENTIFIER‖000102030405060708090a0b0c0d0e0f‖0c0f‖(com.example.app in hex) | xxd -r -p | openssl sha1`
    @Test(
        "The hash is the one that apps compute from their device",
        arguments: [
            ("6f2d1e1c4b7a4c0e9d33a1b2c3d4e5f6", "dcc89ad98c6490e814c01f8aa70e0c9ffaebd5ba"),
            ("001c42aabbcc", "c5c69579764f90750c5c725c9ff4f82d589a6ddd"),
        ])
    func hashOneApps(identifier: String, hash: String) throws {
        let computed = try DeviceHash.compute(
            identifier: bytes(hex: identifier), opaqueValue: Array(0..<16), bundleID: "com.example.app")
        #expect(computed == bytes(hex: hash))
    }

    @Test("A receipt belongs to its device, app and opaque value alone (R4.3)") func receiptBelongsDevice() throws {
        let device = bytes(hex: "001c42aabbcc")
        var receipt = SampleReceipts.plain()
        receipt.deviceHash = try DeviceHash.compute(
            identifier: device, opaqueValue: receipt.opaqueValue, bundleID: receipt.bundleID)
        #expect(try AppReceipt(decoding: receipt.encoded).belongs(toDevice: device))
        #expect(try !receipt.belongs(toDevice: bytes(hex: "001c42aabbcd")))
        #expect(try !receipt.belongs(toDevice: []))
        receipt.bundleID = "com.example.other"
        #expect(try !receipt.belongs(toDevice: device))
        receipt.bundleID = "com.example.app"
        receipt.opaqueValue[0] ^= 1
        #expect(try !receipt.belongs(toDevice: device))
    }
}
