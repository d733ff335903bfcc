package import StoreHTTP
package import StoreModel

/// How many wrong guesses are taken at once, and after what time one more.
package struct GuessLimit: Hashable, Sendable {
    package let atOnce: Int
    package let interval: Duration

    package init(atOnce: Int, interval: Duration) {
        self.atOnce = atOnce
        self.interval = interval
    }

    /// On a device, whatever accounts are tried there.
    package static let device = GuessLimit(atOnce: 10, interval: .seconds(60))
    /// From a network, which many may share, whatever accounts are tried there.
    package static let network = GuessLimit(atOnce: 60, interval: .seconds(10))
    /// At an account from one place. A place where the account has signed in before has nothing but this.
    package static let accountAtPlace = GuessLimit(atOnce: 10, interval: .seconds(60))
    /// At an account from all places together where it never signed in: so many more in a day are 1,540.
    package static let accountElsewhere = GuessLimit(atOnce: 100, interval: .seconds(60))
    /// At codes of offers, by a customer or on a device.
    package static let codes = GuessLimit(atOnce: 50, interval: .seconds(30))

    /// At the second factor of somebody who looks after the store.
    package static let secondFactor = GuessLimit(atOnce: 10, interval: .seconds(60))
    /// Applications of teams, of which anybody may send one.
    package static let applications = GuessLimit(atOnce: 50, interval: .seconds(60))

    /// How long to wait for one more guess; nil if it is taken now.
    ///
    /// - Parameter end: when all guesses so far are forgotten, each an interval after the one before; nil without any.
    package func wait(_ end: Instant?, at now: Instant) -> Duration? {
        guard let end else { return nil }
        let wait = known(end, at: now) - now - interval * (atOnce - 1)
        return wait > .zero ? wait : nil
    }

    /// When all are forgotten once there is one more.
    package func counting(_ end: Instant?, at now: Instant) -> Instant {
        max(end.map { known($0, at: now) } ?? now, now) + interval
    }

    /// When all others are forgotten.
    package func takingBack(_ end: Instant) -> Instant { end - interval }

    /// A clock that was set back lets nobody wait longer than the limit does.
    private func known(_ end: Instant, at now: Instant) -> Instant { min(end, now + interval * atOnce) }
}

/// Where somebody types a password or a code.
package struct GuessPlace: Hashable, Sendable {
    /// The device, or that of the purchase which a page is about.
    let device: DeviceID?
    /// The network of a browser; nil on a device, and for what comes from this machine: behind a proxy that was not named,
    /// all the world does.
    let network: String?

    /// A browser in which somebody has signed in before, by what it was given then; nil for all others.
    var browser: String?

    /// Where somebody types on a device.
    package static func device(_ device: DeviceID) -> GuessPlace { GuessPlace(device: device, network: nil) }

    /// Where somebody types on a page.
    package static func page(_ peer: PeerAddress, of device: DeviceID? = nil) -> GuessPlace {
        GuessPlace(device: device, network: peer.isOfThisMachine ? nil : peer.network)
    }

    /// The names of the place, as they are counted and remembered: that of the network first.
    var names: [String] {
        if let browser { return ["browser \(browser)"] }
        return [network.map { "network \($0)" }, device.map { "device \($0)" }].compactMap(\.self)
    }
}

/// What somebody guesses at.
// Closed: each kind has its own limits.
package enum GuessSubject: Hashable, Sendable {
    case account(CustomerID)
    /// An address of which there is no account; it is counted like one, so that nobody learns which there are.
    case address(String)
    /// Codes of offers, which somebody tries.
    case codesOfCustomer(CustomerID)
    case codesOnDevice(DeviceID)
    /// Somebody who comes to the console by a password, whether there is such a person or not.
    case person(String)
    case secondFactor(String)
    case application

    var name: String {
        switch self {
        case .account(let id): "account \(id)"
        case .address(let key): "address \(key)"
        case .codesOfCustomer(let id): "codes of \(id)"
        case .codesOnDevice(let id): "codes on \(id)"
        case .person(let key): "person \(key)"
        case .secondFactor(let subject): "second factor of \(subject)"
        case .application: "applications"
        }
    }

    /// How the log calls it: by no address.
    var sayable: String {
        switch self {
        case .address: "no account"
        case .person, .secondFactor: "somebody of the console"
        default: name
        }
    }
}
