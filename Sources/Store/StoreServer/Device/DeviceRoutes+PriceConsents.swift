import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

extension DeviceRoutes {
    private static let subscription = PathParameter<SubscriptionID>(
        "subscriptionId", rule: "the number of a subscription of the customer in this app"
    )

    var priceConsentRoutes: [Route] {
        [
            .get("/device/v1/price-consents", suspending: { try await priceConsents($0) })
                .described(
                    "listPriceConsents", "The higher prices that wait for the customer's answer.", tag: "devices",
                    token: Self.scheme,
                    answers: [.init(.ok, "Those of this app.", .of(PriceConsentsAnswer.self))], refusals: [.notSignedIn]
                ),
            .post(
                "/device/v1/price-consents/{subscriptionId}",
                suspending: { request in
                    let (id, token) = (try request[Self.subscription], try Self.token(request))
                    try await PriceConsents(store).answer(
                        id, request.decode(PriceConsentRequest.self), as: token, request: request.name)
                    return HTTPResponse(.noContent)
                }
            )
            .described(
                "answerPriceConsent",
                "Answer to a higher price, in the sandbox. Saying it again changes nothing; who asks before buying has no say.",
                tag: "devices",
                token: Self.scheme, parameters: [.path(Self.subscription, schema: SubscriptionID.schema)],
                body: .of(PriceConsentRequest.self), answers: [.init(.noContent, "The store knows it.")],
                refusals: [.notAllowed, .notSignedIn, .sandboxOnly, .subscriptionUnknown, .tooLate]),
        ]
    }

    private func priceConsents(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (scope, found, now) = try await PriceConsents(store).waiting(as: Self.token(request))
        var consents: [PriceConsentAnswer] = []
        for stored in found {
            guard let increase = stored.rules.openIncrease else { continue }
            consents.append(try await answer(stored, increase, scope, at: now))
        }
        return try answer(PriceConsentsAnswer(consents: consents))
    }

    private func answer(
        _ stored: StoredSubscription, _ increase: PriceIncrease, _ scope: DeviceScope, at now: Instant
    ) async throws -> PriceConsentAnswer {
        let (plan, storefront) = (stored.rules.plan, try stored.scope.storefront.known())
        let text = try await ProductLookup(store).text(
            of: plan.item, of: scope.app, readIn: scope.language, in: storefront)
        let language = text?.language ?? scope.language
        return PriceConsentAnswer(
            subscriptionId: stored.original, productId: plan.product,
            title: text?.title, price: answer(plan.price, language, storefront),
            higherPrice: answer(increase.price, language, storefront), date: stored.rules.endsAt,
            askedAt: increase.askedAt,
            text: RenewalText(language: scope.language) {
                prices.text(of: $0, language: language, storefront: storefront)
            }.text(of: increase, from: plan.price, on: stored.rules.endsAt, at: now))
    }
}
