Fetch.run()
