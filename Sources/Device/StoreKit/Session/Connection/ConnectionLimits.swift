/// How much, and for how long.
enum ConnectionLimits {
    /// The most bytes of an answer: a page of 200 transactions of 8 kB, and as much again.
    static let answerBytes = 4 * 1024 * 1024
    /// How long a store may take to answer at once.
    static let answer = Duration.seconds(20)
    /// How long it may take to be reached.
    static let connect = Duration.seconds(4)
    /// How long a request waits for news.
    static let news = 25
    /// How often, and after what time each, it is asked whether another process has ended its registration.
    static let registrationInquiries = 1500
    static let registrationInquiry = Duration.milliseconds(20)
}
