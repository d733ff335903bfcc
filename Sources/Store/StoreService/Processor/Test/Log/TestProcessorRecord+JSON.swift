package import StoreHTTP
import StoreModel

/// The form in the log and in answers: one flat object, with what there is.
extension TestProcessorRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case number = "n"
        case kind, key, of, amount, currency, method, description, result, refusal
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Int.self, forKey: .number), try values.decode(Kind.self, forKey: .kind),
            try values.decode(Result.self, forKey: .result))
        key = try values.decodeIfPresent(String.self, forKey: .key)
        of = try values.decodeIfPresent(Int.self, forKey: .of)
        if let minorUnits = try values.decodeIfPresent(Int64.self, forKey: .amount) {
            amount = Money(minorUnits: minorUnits, currency: try values.decode(Currency.self, forKey: .currency))
        }
        method = try values.decodeIfPresent(String.self, forKey: .method)
        description = try values.decodeIfPresent(String.self, forKey: .description)
        refusal = try values.decodeIfPresent(PaymentRefusal.self, forKey: .refusal)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(number, forKey: .number)
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(key, forKey: .key)
        try values.encodeIfPresent(of, forKey: .of)
        try values.encodeIfPresent(amount?.minorUnits, forKey: .amount)
        try values.encodeIfPresent(amount?.currency, forKey: .currency)
        try values.encodeIfPresent(method, forKey: .method)
        try values.encodeIfPresent(description, forKey: .description)
        try values.encode(result, forKey: .result)
        try values.encodeIfPresent(refusal, forKey: .refusal)
    }

    /// The same, made by hand: an encoder would take most of the time of a call.
    package var json: JSONValue {
        .members([
            "n": .integer(number), "kind": .string(kind.rawValue), "key": key.map { .string($0) },
            "of": of.map { .integer($0) }, "amount": amount.map { .integer(Int($0.minorUnits)) },
            "currency": amount.map { .string($0.currency.code) }, "method": method.map { .string($0) },
            "description": description.map { .string($0) }, "result": .string(result.rawValue),
            "refusal": refusal.map { .string($0.rawValue) },
        ])
    }
}
