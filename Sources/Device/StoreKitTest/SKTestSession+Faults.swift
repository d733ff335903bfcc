import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// What goes wrong between the app and the store, or the store and the app's server; not known on Apple's platforms.
extension SKTestSession {
    /// Something that goes wrong on purpose: whose calls, which of them, and what becomes of those.
    ///
    /// ```swift
    /// try session.add(.requests("*/purchases", method: "POST", .answerLost).times(1))
    /// try session.add(.notifications("DID_RENEW", .doubled))
    /// try session.add(.requests("*", .status(503)).percent(10, seed: 7))
    /// ```
    ///
    /// Requests that a session makes to bring the app up to date are spared, and not counted. Which calls it strikes follows from their count, and from its seed where it has one, so that a test goes the same way each
    /// time.
    public struct Fault: Hashable, Sendable {
        /// What becomes of a call.
        public struct Effect: Hashable, Sendable {
            enum Act: Hashable, Sendable {
                case status(Int)
                case delay(Duration)
                case drop(FaultRule.Effect.Moment)
                case double
                case reorder
            }

            let act: Act

            /// It is answered with a status of HTTP, and nothing is done.
            public static func status(_ status: Int) -> Effect { Effect(act: .status(status)) }

            /// It waits so long first, by the wall clock.
            public static func delayed(by duration: Duration) -> Effect { Effect(act: .delay(duration)) }

            /// It never arrives.
            public static let lost = Effect(act: .drop(.before))

            /// It is done, and nobody hears of it: the answer is lost.
            public static let answerLost = Effect(act: .drop(.after))

            /// It is done twice.
            public static let doubled = Effect(act: .double)

            /// The next notification of the same subscription is sent first. Not for requests.
            public static let overtaken = Effect(act: .reorder)
        }

        private(set) var terms = FaultTerms()

        /// Something that goes wrong with requests of the app.
        ///
        /// - Parameters:
        ///   - path: their path, in which `*` stands for anything: `/device/v1/purchases`, `*/finish`.
        ///   - method: of HTTP; nil for all.
        public static func requests(_ path: String, method: String? = nil, _ effect: Effect) -> Fault {
            var fault = Fault(effect)
            fault.terms.path = path
            fault.terms.method = method
            return fault
        }

        /// Something that goes wrong with attempts to send notifications.
        ///
        /// - Parameter type: such as `DID_RENEW`; nil for all.
        public static func notifications(_ type: String?, _ effect: Effect) -> Fault {
            var fault = Fault(effect)
            fault.terms.notifications = true
            fault.terms.notificationType = type
            return fault
        }

        private init(_ effect: Effect) {
            switch effect.act {
            case .status(let status): terms.status = status
            case .delay(let duration): terms.delayMilliseconds = Int(duration / .milliseconds(1))
            case .drop(let moment): terms.drop = moment.rawValue
            case .double: terms.duplicate = true
            case .reorder: terms.reorder = true
            }
        }

        /// The same, which strikes so many calls at most.
        public func times(_ count: Int) -> Fault { with { $0.times = count } }

        /// The same, which strikes one call alone, 1 being the first.
        public func call(_ number: Int) -> Fault { with { $0.call = number } }

        /// The same, which strikes one in so many calls.
        public func every(_ step: Int) -> Fault { with { $0.every = step } }

        /// The same, which strikes so many in a hundred calls, always the same ones for a seed.
        public func percent(_ percent: Int, seed: Int) -> Fault {
            with { terms in
                terms.percent = percent
                terms.seed = seed
            }
        }

        private func with(_ change: (inout FaultTerms) -> Void) -> Fault {
            var fault = self
            change(&fault.terms)
            return fault
        }
    }

    /// Lets something go wrong from now on. What cannot be is refused with ``SKTestError/invalidAction``.
    public func add(_ fault: Fault) throws {
        try settle { scene in
            let store = scene.store.store
            do {
                _ = try await FaultEditing(store).add(fault.terms, store.cause(.owner))
            } catch let error as InvalidValue {
                throw SKTestError(.invalidAction, "There is no such fault: \(error)")
            } catch let error as ServiceError {
                throw SKTestError(.invalidAction, "There is no such fault: \(error.message)")
            }
        }
    }

    /// Lets nothing go wrong any more.
    public func clearFaults() throws {
        try settle { scene in
            let store = scene.store.store
            _ = try await FaultEditing(store).clear(store.cause(.owner))
        }
    }
}
