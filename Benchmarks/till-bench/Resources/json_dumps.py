"""Encodes transactions with the JSON encoder of Python's standard library, whose inner loop is C."""

import json

from benchmark_loop import serve


def prepare(given):
    payloads = [json.loads(text) for text in given["payloads"]]
    for payload, text in zip(payloads, given["payloads"]):
        assert json.loads(json.dumps(payload, separators=(",", ":"))) == json.loads(text)
    encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode

    def operation(index):
        encode(payloads[index % len(payloads)]).encode()

    return operation


serve(prepare)
