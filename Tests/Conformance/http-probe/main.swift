Probe.run()
