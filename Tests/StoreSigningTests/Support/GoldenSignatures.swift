/// Signatures made by `openssl dgst -sha… -sign key.pem message | base64 -w0` with the keys of ``GoldenKeys``.
enum GoldenSignatures {
    /// What is signed.
    static let message = Array("Sold by the store of one".utf8)

    static let p256SHA256 = """
        MEYCIQDTgWIcj+qZXiRCoL6lSCkKV1YPex4zfHlIuZtFMxMerwIhAPXeftBRMlF4NqT7N8+5grv5EFWTJ9+vFbd+\
        IIEr9FKH
        """
    static let p256SHA1 = """
        MEUCIQD6fOQMUMLY9UOMaWyd/6nx/sRBgSqj6zFYHSMmndhQcgIgeU86cASob/77tybBt4wVRoRO3wpZqJga65bU\
        OcqRyTA=
        """
    static let p384SHA384 = """
        MGUCMQCPFvL1NJPzbwwh24Aw4fVXexqmOq0TUec8gHOAkRUWTsdBq3FuHGx6HWCPvkOZezACMCok7KQvTpSTZCW3\
        wEr7LIv+xpkohlXDtp4B9y7p5FDE+aQbj9qSTcwbZZvX1FOlPA==
        """
    static let rsaSHA1 = """
        M625r5qI5DHrQGJBqfPRkcjxPusxoCc4v9B0ZYfEjzfvumjrcfXQ3zq/T/Nz8wna4QA45fcoMY4QHkQ8J4oD6STU\
        5kS00FPegN+eoa4PaICvxlNk1FdAG0YbJ7r3v/SkOVyIk6WNN/SQtk3srOUwf34KsAdE6KA+cUhh19AnHhQ=
        """
    static let rsaSHA256 = """
        dIAswd6Yua1SKzMnol7V5dW42p4RL81jKCZHpxlKW8cC3zvUtv8wXZsuS+rwwWzSzt7ZMVSzVuVfbYDawcHno+/y\
        9XvN9r1940DbvCbAkUVvjDNXaXQV5IDbG29TbH+0mB++CPzetXLJN37gPk9zOafS1/pLbXpDQllN0pHijq8=
        """
}
