import subprocess


class Cluster:
    """A PostgreSQL server of its own."""

    def __init__(self, script):
        self.process = subprocess.Popen([script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        word, _, self.folder = self.process.stdout.readline().strip().partition(" ")
        assert word == "ready", self.folder

    def create(self, name) -> str:
        self.psql("postgres", f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
        return f"postgresql:///{name}?host={self.folder}&user=postgres"

    def psql(self, name, statement) -> str:
        command = ["psql", "-h", self.folder, "-U", "postgres", "-d", name, "-XAtqc", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def close(self):
        self.process.communicate()
