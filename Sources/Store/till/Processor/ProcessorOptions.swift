import CommandOptions
import StoreModel

/// The options of `till processor`.
enum ProcessorOptions {
    static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox,
        help: "Whose processor it is.")

    static let socket = Option<String?>.optional(
        "socket", .file("PATH"), help: "Where it listens, if not at processor.sock beside its log.")

    static let actionURL = Option<String>.defaulted(
        "action-url", .text("URL"), to: "https://processor.invalid/actions/",
        help: "Where customers are sent to do something; the reference comes behind it.")

    static let newsURL = Option<String?>.optional(
        "news-url", .text("URL"), help: "Where the store is told what customers did.")

    static let newsSocket = Option<String?>.optional(
        "news-socket", .file("PATH"), help: "The Unix socket at which that address is, if it is at one.")

    static let newsSecret = Option<String?>.optional(
        "news-secret", .secret("SECRET"), environment: "TILL_PROCESSOR_NEWS_SECRET",
        help: "What news are signed with; better given by the variable, which others do not see.")

    static let lateSeconds = Option<Int>.defaulted(
        "late-seconds", .integer("SECONDS", in: 0...55), to: 20, help: "How late an answer is that comes too late.")

    static let waitSeconds = Option<Int>.defaulted(
        "wait-seconds", .integer("SECONDS", in: 0...600), to: 10,
        help: "How long to wait for another process that has the log to end.")

    static let untilInputEnds = Option<Bool>.flag(
        "until-input-ends", help: "End when standard input does, so that it never outlives who started it.")

    /// News need an address and a secret.
    static let rules: [OptionRule] = [.option(newsURL, needs: newsSecret), .option(newsSocket, needs: newsURL)]
}
