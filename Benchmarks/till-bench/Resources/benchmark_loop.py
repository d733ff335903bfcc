"""The loops that the Python references run; the other end is PythonReference.swift."""

import json
import os
import sys
import threading
import time


def serve(prepare, all_cores=False):
    """Turns the first line into an operation, then runs it for as long as each further line says.

    One thread is timed by its processor time; with `all_cores`, a thread for each is timed by the clock on the wall.
    """
    operation = prepare(json.loads(sys.stdin.readline()))
    print("ready", flush=True)
    run = run_on_all_cores if all_cores else run_on_one_thread
    for line in sys.stdin:
        operations, elapsed = run(operation, float(line.split()[1]))
        print(operations, elapsed, flush=True)


def run_on_one_thread(operation, seconds, now=time.thread_time):
    operations = 0
    start = now()
    while True:
        for _ in range(8):
            operation(operations)
            operations += 1
        elapsed = now() - start
        if elapsed >= seconds:
            return operations, elapsed


def run_on_all_cores(operation, seconds):
    counts = []

    def work():
        counts.append(run_on_one_thread(operation, seconds, now=time.perf_counter)[0])

    threads = [threading.Thread(target=work) for _ in range(len(os.sched_getaffinity(0)))]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts), time.perf_counter() - start
