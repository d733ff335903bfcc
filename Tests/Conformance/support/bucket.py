import json
import subprocess
import sys

import boto3
import requests
from botocore.config import Config

from support.shop import free_port
from support.waiting import PATIENCE, wait_until


class Bucket:
    """A bucket of moto, which from then on refuses whoever signs wrongly or is nobody."""

    NAME = "till-content"

    def __init__(self):
        port = free_port()
        self.endpoint = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self.is_up)
        people = self.client("iam", "anybody", "anything")
        people.create_user(UserName="till")
        policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
        people.put_user_policy(UserName="till", PolicyName="all", PolicyDocument=json.dumps(policy))
        key = people.create_access_key(UserName="till")["AccessKey"]
        self.key, self.secret = key["AccessKeyId"], key["SecretAccessKey"]
        self.s3 = self.client("s3", self.key, self.secret)
        self.s3.create_bucket(Bucket=self.NAME)
        # Nothing is let in any more without a signature that is right.
        assert requests.post(f"{self.endpoint}/moto-api/reset-auth", data="0", timeout=PATIENCE).ok

    def is_up(self) -> bool:
        try:
            return requests.get(f"{self.endpoint}/moto-api/data.json", timeout=PATIENCE).ok
        except requests.ConnectionError:
            return False

    def client(self, service: str, key: str, secret: str):
        return boto3.client(
            service,
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id=key,
            aws_secret_access_key=secret,
            config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}),
        )

    @property
    def place(self) -> str:
        return f"s3://{self.NAME}/store?endpoint={self.endpoint}&region=us-east-1"

    @property
    def environment(self) -> dict[str, str]:
        return {"AWS_ACCESS_KEY_ID": self.key, "AWS_SECRET_ACCESS_KEY": self.secret}

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
