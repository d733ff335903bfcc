import StoreModel
import Testing

@testable import StoreRules

@Suite struct ContentReviewTests {
    private static let table: [ContentState: [ContentReview.Event: ContentState]] = [
        .uploading: [.completed: .processing, .withdrawn: .withdrawn, .unhosted: .unhosted],
        .processing: [
            .processed: .readyToSubmit, .failed: .failed, .withdrawn: .withdrawn, .unhosted: .unhosted,
        ],
        .failed: [.withdrawn: .withdrawn, .unhosted: .unhosted],
        .readyToSubmit: [
            .approved: .approved, .rejected: .rejected, .withdrawn: .withdrawn, .replaced: .replaced,
            .unhosted: .unhosted,
        ],
        .rejected: [
            .approved: .approved, .withdrawn: .withdrawn, .replaced: .replaced, .unhosted: .unhosted,
        ],
        .approved: [.replaced: .replaced],
        .withdrawn: [.unhosted: .unhosted], .replaced: [.unhosted: .unhosted], .unhosted: [:],
    ]

    @Test("R6.4: every event in every state of content leads where the table says, or is refused and changes nothing")
    func table() {
        #expect(Set(Self.table.keys) == ContentState.known)
        for (state, leads) in Self.table {
            for event in ContentReview.Event.allCases {
                var review = ContentReview(state: state)
                do throws(ReviewError) {
                    try review.handle(event)
                    #expect(review.state == leads[event], "\(state) \(event)")
                } catch {
                    #expect(leads[event] == nil, "\(state) \(event): \(error)")
                    #expect(review.state == state)
                    #expect("\(error)".contains(state.rawValue.replacing("_", with: " ")))
                }
            }
        }
    }

    @Test("R6.4: the sandbox delivers what is ready, production what was approved, and nobody what has ended")
    func delivery() {
        let delivered = { (environment: StoreEnvironment) in
            ContentState.known.filter { ContentReview(state: $0).isDelivered(in: environment) }
        }
        #expect(delivered(.sandbox) == [.readyToSubmit, .rejected, .approved])
        #expect(delivered(.production) == [.approved])
    }
}
