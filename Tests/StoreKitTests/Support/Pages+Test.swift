import StoreModel

extension StoreAddress {
    // Safe: it is an address.
    static let test = StoreAddress("https://store.example.com")!
}

extension VisitAnswer {
    /// A page of a store with a number of its own.
    static func test(_ number: Int64) -> VisitAnswer {
        // Safe: the numbers of tests are those of visits.
        let id = try! VisitID(number: number)
        return VisitAnswer(
            visitId: id, storeId: 364_709_193, page: "/view/\(number)-AAAA", title: "iBooks",
            expires: Instant(millisecondsSinceEpoch: 3_600_000))
    }
}
