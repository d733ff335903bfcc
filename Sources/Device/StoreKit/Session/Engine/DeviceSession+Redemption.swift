import StoreFoundation
import StoreModel

/// Codes that the customer redeems in the app.
///
/// The store says which product a code is for. It is then bought as any other, with the offer's price on the sheet, and arrives as
/// an ordinary transaction; the app hears of a refusal after that as of any failed payment. Where there is no terminal to type it
/// at, the page of the store takes its place, and the app hears of what the customer bought there.
extension DeviceSession {
    /// The page of the store on which the codes of the app are redeemed.
    private var page: String {
        "\(settings.profile.content.storeUrl)/redeem?app=\(settings.profile.content.bundleId)"
    }

    func redeemCode() async {
        guard !settings.preferences().isSimulator else {
            return settings.report("No code is redeemed in a simulator; to end that: till device simulator off")
        }
        var problem: String?
        while !Task.isCancelled {
            let question = CodeQuestion(problem: problem, page: page, language: settings.texts.language)
            guard let typed = await settings.prompt.askCode(question), !typed.isEmpty else { return }
            do throws(ConnectionError) {
                let found = try await repeating { () async throws(ConnectionError) in
                    try await self.device.prepare()
                    return try await self.device.lookUp(typed)
                }
                var payment = Payment(found.productId.text, code: found.offerCode)
                payment.source = .code
                add(payment)
                return
            } catch {
                guard error.kind != .cancelled else { return }
                problem = error.sentence(in: settings.texts)
                // Whoever is not asked again has to be told.
                guard settings.prompt.asksPerson, error.status != nil else {
                    return settings.report("a code was not redeemed: \(error)")
                }
            }
        }
    }
}
