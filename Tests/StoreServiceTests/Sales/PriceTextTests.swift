import StoreModel
import StoreService
import Testing

@Suite struct PriceTextTests {
    @Test(
        "R1.6: Prices read as people of a storefront write them",
        arguments: [
            ("USA", "en-US", "1.99", "$1.99"), ("JPN", "ja-JP", "160", "¥160"), ("TUR", "tr-TR", "64.99", "₺64,99"),
            ("CHN", "zh-Hans", "12.00", "¥12.00"), ("DEU", "de-DE", "1.99", "1,99\u{A0}€"),
            ("FRA", "fr-FR", "1.99", "1,99\u{A0}€"), ("DEU", "en-US", "1234.50", "1.234,50\u{A0}€"),
        ])
    func golden(_ code: String, _ language: String, _ amount: String, _ text: String) throws {
        let storefront = try #require(StorefrontRecord.storefront(alpha3: code))
        let price = try Money(decimal: amount, currency: storefront.currency)
        let prices = PriceText()
        for _ in 0..<2 {
            let shown = prices.text(of: price, language: language, storefront: storefront)
            #expect(shown == text, "\(shown.unicodeScalars.map { String($0.value, radix: 16) })")
        }
    }
}
