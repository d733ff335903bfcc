import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Applications of teams, and the texts to which teams agree, by HTTP.
struct ApplicationRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let application = PathParameter<String>("applicationId", rule: "the id of an application") {
        $0.isEmpty ? nil : $0
    }
    private static let kind = PathParameter<AgreementKind>("kind", rule: "free or paid") { text in
        let kind = AgreementKind(rawValue: text)
        return kind.isKnown ? kind : nil
    }
    /// Applications that are listed.
    private static let most = 1000

    var list: Route {
        .get("/control/v1/applications") { request in
            let found = try await store.editing(request).applications(limit: Self.most)
            return try .json(Page(found.map(ApplicationAnswer.init)))
        }
        .described(
            "listApplications", "Teams that would like to sell, and what the store has said; the newest first.",
            tag: TeamRoutes.tag, answers: [.init(.ok, "All of them.", .of(Page<ApplicationAnswer>.self))])
    }

    var decisions: [Route] {
        let path = "/control/v1/applications/{applicationId}"
        let answer = [OperationDocumentation.Response(.ok, "The application.", .of(ApplicationAnswer.self))]
        return [
            .post(RoutePattern(path + "/approval"), body: BodyPolicy.none) { request in
                try .json(
                    ApplicationAnswer(
                        await store.editing(request).approveApplication(request[Self.application])))
            }
            .described(
                "approveApplication", "Says yes: enrols the team, with who asked as its owner.", tag: TeamRoutes.tag,
                parameters: [.path(Self.application)], answers: answer,
                refusals: [.nameUnknown, .tooLate, .nameTaken, .limitReached]),
            .post(RoutePattern(path + "/refusal")) { request in
                let reason = try request.decode(ReasonRequest.self).reason
                return try .json(
                    ApplicationAnswer(
                        await store.editing(request).refuseApplication(request[Self.application], because: reason)))
            }
            .described(
                "refuseApplication", "Says no, with the reason that whoever asked reads.", tag: TeamRoutes.tag,
                parameters: [.path(Self.application)], body: .of(ReasonRequest.self), answers: answer,
                refusals: [.nameUnknown, .tooLate]),
        ]
    }

    var text: Route {
        .get("/control/v1/agreements/{kind}") { request in
            try .json(AgreementTextAnswer(await store.editing(request).agreementText(request[Self.kind])))
        }
        .described(
            "readAgreementText", "The text to which teams agree.", tag: TeamRoutes.tag,
            parameters: [.path(Self.kind)],
            answers: [
                .init(.ok, "The text.", .of(AgreementTextAnswer.self)), .init(.notFound, "No such kind.", .error),
            ])
    }

    var publication: Route {
        .put("/control/v1/agreements/{kind}") { request in
            let (kind, wanted) = (try request[Self.kind], try request.decode(AgreementTextRequest.self))
            return try .json(
                AgreementTextAnswer(await store.editing(request).publishAgreement(wanted.text, as: kind)))
        }
        .described(
            "publishAgreementText", "Publishes a text. Teams that have agreed go on with the one that they read.",
            tag: TeamRoutes.tag, parameters: [.path(Self.kind)], body: .of(AgreementTextRequest.self),
            answers: [
                .init(.ok, "The text.", .of(AgreementTextAnswer.self)), .init(.notFound, "No such kind.", .error),
            ])
    }
}
