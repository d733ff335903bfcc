import StoreFoundation
import StoreHTTPClient
package import StoreModel

/// Pages of the store that the app shows.
///
/// A page is a visit at the store, which the page in the browser ends, the person in the terminal, the app, or time. A product
/// of the app that is chosen there reaches the observers as every purchase that was begun outside the app.
///
/// | what ends it | what follows |
/// |---|---|
/// | "Done" on the page, or a line in the terminal | the delegate is told |
/// | something was bought | the delegate is told; what is the app's own comes to its queue |
/// | a product of the app was chosen | the delegate is told; `shouldAddStorePayment` |
/// | nobody, until the visit is too old | the delegate is told |
/// | the app takes it away | nothing |
/// | the process ends | what was chosen comes to the next process, as `shouldAddStorePayment` |
extension DeviceSession {
    package func loadPage(_ request: VisitRequest) async throws(SessionFailure) -> LoadedPage {
        do throws(ConnectionError) {
            let answer = try await withinTime { () async throws(ConnectionError) in
                try await self.device.prepare()
                return try await self.device.openVisit(request)
            }
            return LoadedPage(answer, for: request, in: settings.profile.content.storeUrl)
        } catch {
            if error.status == nil {
                trouble.note(error)
            } else {
                settings.report("there is no page of \(request.itemId) to show: \(error)")
            }
            throw SessionFailure(error)
        }
    }

    package func show(_ page: LoadedPage) async {
        guard let task = tasks.start({ await self.present(page) }) else { return }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func present(_ page: LoadedPage) async {
        let visit = OpenVisit(id: page.answer.visitId, process: presence.name)
        keep(visit)
        let end = await end(of: page)
        if Task.isCancelled {
            // The app has taken it away, and goes on meanwhile.
            tasks.start { [weak self] in await self?.close(visit) }
            return
        }
        switch end {
        case .replied(.chosen(let product)):
            promote(product)
            await close(visit)
        case .told(let answer) where answer.state == .bought: await close(visit)
        case .told(let answer): settle(visit, answer)
        case .replied, nil: await close(visit)
        }
    }

    /// Takes in what became of a page that a process showed until it was killed.
    func settleFormerVisit() async {
        guard let visit = openVisit, !presence.isAlive(visit.process) else { return }
        await close(visit)
    }

    // Closed: the things that end a page.
    private enum End {
        case replied(PageReply)
        case told(VisitStateAnswer)
    }

    /// Waits until a page is over; nil where nobody will say so.
    private func end(of page: LoadedPage) async -> End? {
        let question = await question(page)
        return await withTaskGroup(of: End?.self) { group in
            group.addTask {
                let reply = await self.settings.prompt.showPage(question)
                // Where the page says when it is over, the store tells of it.
                return reply == .elsewhere ? nil : .replied(reply)
            }
            group.addTask { await self.told(of: page.answer.visitId) }
            defer { group.cancelAll() }
            while let end = await group.next() {
                if let end { return end }
            }
            return nil
        }
    }

    private func question(_ page: LoadedPage) async -> PageQuestion {
        let answer = page.answer
        var question = PageQuestion(
            title: answer.title, maker: answer.maker, price: answer.price?.display, text: answer.text,
            products: answer.products.map {
                .init(identifier: $0.productId, title: $0.title, price: $0.price.display)
            }, address: page.address, language: settings.texts.language)
        if let address = page.address, let open = settings.openPage { question.isOpened = open(address) }
        return question
    }

    /// What the store says of a visit once it is over; nil if it does not know it any more.
    private func told(of id: VisitID) async -> End? {
        while !Task.isCancelled {
            do throws(ConnectionError) {
                let answer = try await repeating(forever: true) { () async throws(ConnectionError) in
                    try await self.device.visit(id, wait: ConnectionLimits.news)
                }
                if answer.state != .open { return .told(answer) }
            } catch {
                guard error.kind != .cancelled else { return nil }
                return .told(VisitStateAnswer(visitId: id, state: .expired))
            }
        }
        return nil
    }

    /// Ends a visit at the store, and takes in what was chosen there meanwhile.
    private func close(_ visit: OpenVisit) async {
        do throws(ConnectionError) {
            let answer = try await repeating { () async throws(ConnectionError) in
                try await self.device.closeVisit(visit.id)
            }
            settle(visit, answer)
        } catch {
            // What the store does not know any more is over. Else the next process asks.
            if error.status != nil { forget(visit) }
        }
    }

    private func settle(_ visit: OpenVisit, _ answer: VisitStateAnswer) {
        if answer.state == .chosen, let product = answer.productId { promote(product) }
        forget(visit)
    }

    /// Begins the purchase of a product as one that was begun outside the app.
    private func promote(_ product: ProductID) {
        do throws(PromotionError) {
            try promotions.add(PromotedPurchase(product), at: settings.wall())
        } catch {
            settings.report("\(product) was chosen in the store, and the app cannot be told of it: \(error)")
        }
        lookForPromotions()
    }
}

/// A page that a process shows, as the journal keeps it: what is chosen there is not lost with the process.
private struct OpenVisit {
    let id: VisitID
    let process: String

    init(id: VisitID, process: String) {
        (self.id, self.process) = (id, process)
    }

    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let id = VisitID(String(parts[0])) else { return nil }
        (self.id, process) = (id, String(parts[1]))
    }

    var text: String { "\(id) \(process)" }
}

extension DeviceSession {
    private var openVisit: OpenVisit? { (try? journal.value(.visit)).flatMap { $0.flatMap(OpenVisit.init) } }

    private func keep(_ visit: OpenVisit) { try? journal.set([.visit: visit.text]) }

    /// Forgets a visit, unless another page is shown by now.
    private func forget(_ visit: OpenVisit) {
        if openVisit?.text == visit.text { try? journal.set([.visit: nil]) }
    }
}
