import StoreDatabase

extension Signal {
    /// The signal as a notification carries it: the topic, and after a space the subject, if there is one.
    var payload: String {
        subject.map { "\(topic.name) \($0)" } ?? topic.name
    }

    init(payload: String) {
        let parts = payload.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let topic = SignalTopic(received: String(parts[0]))
        self = parts.count == 2 ? Signal(topic, subject: String(parts[1])) : Signal(missedOn: topic)
    }
}
