import StoreCatalogue
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService

extension DeviceRoutes {
    var productRoutes: [Route] {
        [
            .post("/device/v1/products", suspending: { try await products($0) })
                .described(
                    "listProducts", "What of these ids can be bought here, in which words and at which price.",
                    tag: "devices", token: Self.scheme,
                    body: .object([
                        "productIds": .array(of: .string(), lengths: 0...ProductsRequest.longest)
                    ]), answers: [.init(.ok, "Each id is in one of both lists.", .of(ProductsAnswer.self))],
                    refusals: [.appUnknown, .storefrontUnknown])
        ]
    }

    private func products(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (scope, products) = (try await scope(request), ProductLookup(store))
        let key = ProductAnswers.Key(scope, request.body.bytes)
        let revision = try await products.revision()
        let now = store.clocks.now(by: scope.clock)
        if let known = answers.find(key, of: revision, at: now) { return known }
        let ids = try request.decode(ProductsRequest.self).productIds
        guard ids.count <= ProductsRequest.longest else {
            throw APIError(
                .badRequest, code: "too_many", "One request is for at most \(ProductsRequest.longest) products.",
                parameter: "productIds")
        }
        let found = try await products.listings(ids, for: scope, at: now)
        let storefront = try scope.storefront.known()
        let tellsReasons = store.environment == .sandbox
        log(found.invalid, scope)
        var response = try answer(
            ProductsAnswer(
                products: found.listings.map { answer($0, scope, storefront) },
                invalid: found.invalid.map { invalid in
                    guard tellsReasons else { return InvalidProductAnswer(productId: invalid.id) }
                    return InvalidProductAnswer(
                        productId: invalid.id, reason: invalid.obstacle.name,
                        explanation: APIError.sentence(invalid.obstacle.explanation), nearest: invalid.nearest)
                }))
        if tellsReasons, !found.invalid.isEmpty {
            let reasons = found.invalid.prefix(Self.mostReasons).map {
                "\(Self.word($0.id))=\($0.obstacle.name)"
            }
            response.fields["Till-Reason"] = reasons.joined(separator: ", ")
        }
        // Each request for what is not shown has its line in the log.
        if found.invalid.isEmpty {
            answers.keep(response, for: key, of: revision, from: now, until: found.validUntil)
        }
        return response
    }

    /// How many reasons a field of the header and a line of the log have.
    private static let mostReasons = 10
    private static let longestWord = 100

    /// An id as it may stand in a field of the header.
    private static func word(_ id: String) -> String {
        let bytes = id.utf8.prefix(longestWord).map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "._-".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return bytes.joined()
    }

    /// What was asked for and is not shown, with the reason, which apps are not told: one line a request.
    private func log(_ invalid: [InvalidProduct], _ scope: DeviceScope) {
        guard !invalid.isEmpty else { return }
        let reasons = invalid.prefix(Self.mostReasons).map { "\(Self.word($0.id)): \($0.obstacle.name)" }
        store.log.info(
            "products.invalid", "An app asked for products that are not shown to it; till why says more.",
            [
                "environment": .text(store.environment.rawValue), "app": .text(scope.app.description),
                "device": .text(scope.device.description), "count": .number(Int64(invalid.count)),
                "reasons": .text(reasons.joined(separator: ", ")),
            ])
    }

    private func answer(
        _ listing: ProductListing, _ scope: DeviceScope, _ storefront: StorefrontRecord
    ) -> ProductListingAnswer {
        let offers = listing.offers.map { lower in
            SubscriptionOfferAnswer(
                offerId: lower.offer.id, kind: WireWord(lower.offer.kind),
                paymentMode: WireWord(lower.offer.paymentMode),
                period: lower.offer.period, periodCount: lower.offer.periodCount,
                price: answer(lower.price, listing.language, storefront))
        }
        return ProductListingAnswer(
            productId: listing.product.productID, itemId: listing.product.itemID, type: listing.product.kind,
            title: listing.title, description: listing.description, language: listing.language,
            price: answer(listing.price, listing.language, storefront),
            isFamilyShareable: listing.product.isFamilyShareable, subscriptionPeriod: listing.product.period,
            subscriptionGroupIdentifier: listing.product.groupID, subscriptionGroupName: listing.groupName,
            subscriptionGroupLevel: listing.product.level, offers: offers.isEmpty ? nil : offers,
            contentVersion: listing.content?.version, contentLengths: listing.content.map { [$0.bytes] })
    }
}
