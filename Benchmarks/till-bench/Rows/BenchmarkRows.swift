/// Every row there is, in the order of the table.
enum BenchmarkRows {
    static let all: [any BenchmarkRow] = [
        JWSSigningRow(),
        JWSVerificationRow(),
        PayloadEncodingRow(),
        ReceiptVerificationRow(),
        ReceiptVerificationByCMSRow(),
        AppleLibraryRow(),
    ]
}
