"""The loop that every Python reference runs; the other end is PythonReference.swift."""

import json
import sys
import time


def serve(prepare):
    """Turns the first line into an operation, then runs it for as long as each further line says."""
    operation = prepare(json.loads(sys.stdin.readline()))
    print("ready", flush=True)
    index = 0
    for line in sys.stdin:
        seconds = float(line.split()[1])
        operations = 0
        start = time.thread_time()
        while True:
            for _ in range(8):
                operation(index)
                index += 1
            operations += 8
            elapsed = time.thread_time() - start
            if elapsed >= seconds:
                break
        print(operations, elapsed, flush=True)
