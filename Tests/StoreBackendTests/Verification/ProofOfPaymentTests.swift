import StoreBackend
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite struct ProofOfPaymentTests {
    @Test func `R5.2: a receipt is read raw, in Base64, and in what transports make of Base64`() throws {
        for proof in [try SampleProofs.receipt(), try SampleProofs.transactionReceipt()] {
            let text = Base64.encode(proof.bytes)
            let lines = stride(from: 0, to: text.count, by: 76).map { String(text.dropFirst($0).prefix(76)) }
            let forms = [
                proof.bytes, Array(text.utf8), Array("\n\(text)\r\n".utf8), Array(lines.joined(separator: "\r\n").utf8),
                Array(Base64.encode(proof.bytes, .url).utf8),
                Array(text.replacing("+", with: " ").utf8), Array(Base64.encode(text.utf8).utf8),
            ]
            for (number, form) in forms.enumerated() {
                #expect(try ProofOfPayment(reading: form) == proof, "form \(number) of \(proof.form)")
            }
        }
    }

    @Test func `a signed transaction is read as text, with white space around it`() throws {
        let signed = try SampleProofs.signed(SampleProofs.transaction())
        for text in [signed, "\(signed)\n", "  \(signed)\r\n"] {
            let read = try ProofOfPayment(reading: Array(text.utf8))
            #expect(read.form == .signedTransaction && read.bytes == Array(signed.utf8))
        }
    }

    @Test(arguments: [
        "", " \n", "hello there", "aGVsbG8gdGhlcmU=", #"{"receipt-data":"MII"}"#, "{ \"purchase-info\" = \"\"; }",
        "a.b", "a.b.c.d", "a.b c.d", "====", "receipt-data=MIIT",
    ])
    func `what is of no form is refused as malformed, without being told back`(text: String) {
        let error = #expect(throws: BackendError.self) { try ProofOfPayment(reading: Array(text.utf8)) }
        #expect(error?.code == .malformedProof)
        #expect(text.count < 6 || error?.message.contains(text) == false)
    }

    @Test func `each form has its limit, and the text as a whole has one`() {
        let sizes = [
            [UInt8](repeating: UInt8(ascii: "A"), count: ProofOfPayment.longestText + 1),
            [0x30] + [UInt8](repeating: 0, count: ProofOfPayment.largestAppReceipt),
            Array("{".utf8) + [UInt8](repeating: 0x20, count: ProofOfPayment.largestTransactionReceipt),
            Array("a.b.".utf8) + [UInt8](repeating: UInt8(ascii: "c"), count: ProofOfPayment.largestSignedTransaction),
        ]
        for bytes in sizes {
            let error = #expect(throws: BackendError.self) { try ProofOfPayment(reading: bytes) }
            #expect(error?.code == .proofTooLarge)
        }
    }

    @Test func `the largest receipt fits into the longest text with line ends in it`() {
        let characters = (ProofOfPayment.largestAppReceipt + 2) / 3 * 4
        #expect(characters + 2 * (characters / 76 + 1) <= ProofOfPayment.longestText)
    }
}
