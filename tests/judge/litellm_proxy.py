#!/usr/bin/env python3
"""llm_judge through a real LiteLLM proxy (litellm[proxy] of PyPI), in front of the service of the tests.

usage: litellm_proxy.py LEAFSCORE, by the Python that has litellm; exits with 77 where that is missing."""
import importlib.util
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

RECORDS = 12
PROXY_KEY = "sk-of-the-proxy-0123456789"
SERVICE_KEY = "sk-of-the-service-0123456789"
SECONDS_TO_START = 240
MODELS = {  # by what the service behind does (tests/http/fake_service.py)
    "good": "ok",
    "refuses": "refuse",
    "busy": "429,ok",
    "locked": "wantsanother",
}


def start_service():
    """Returns the service, which ends with this process, and its URL."""
    script = pathlib.Path(__file__).parent.parent / "http" / "fake_service.py"
    process = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, "http://127.0.0.1:" + process.stdout.readline().strip()


def start_proxy(folder, service):
    """Returns the proxy and its URL, once it answers."""
    (folder / "proxy.json").write_text(json.dumps({
        "model_list": [
            {"model_name": name, "litellm_params": {
                "model": "openai/gpt-4o", "api_base": f"{service}/{steps}/v1", "api_key": SERVICE_KEY}}
            for name, steps in MODELS.items()],
        "litellm_settings": {"num_retries": 0, "telemetry": False},
        "router_settings": {"num_retries": 0, "disable_cooldowns": True},
        "general_settings": {"master_key": PROXY_KEY}}))
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        port = any_port.getsockname()[1]
    # A database and the prices of the day are not needed.
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_PROXY": "127.0.0.1"}
    process = subprocess.Popen(
        [sys.executable, "-c", "from litellm import run_server; run_server()", "--config", folder / "proxy.json",
         "--host", "127.0.0.1", "--port", str(port)],
        env=environment, stdout=open(folder / "proxy.log", "w"), stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    for _ in range(SECONDS_TO_START * 2):
        try:
            urllib.request.urlopen(url + "/health/liveliness", timeout=5).close()
            return process, url
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            assert process.poll() is None, (folder / "proxy.log").read_text()[-4000:]
            time.sleep(0.5)
    raise AssertionError("the proxy does not start: " + (folder / "proxy.log").read_text()[-4000:])


def tell(service, what):
    with urllib.request.urlopen(urllib.request.Request(f"{service}/{what}", data=b"")) as reply:
        return json.load(reply)


class Runs:
    """Runs of the command, with one model of the proxy each."""

    def __init__(self, folder, service, proxy):
        self.folder, self.service, self.proxy = folder, service, proxy
        (folder / "in.jsonl").write_text("".join(
            json.dumps({"id": i, "expected": f"answer {i}", "actual": f"SCORE={i}"}) + "\n" for i in range(RECORDS)))

    def score(self, model, *more, key=PROXY_KEY):
        """Returns the exit status, what the command said, and its lines of scores."""
        tell(self.service, "reset")
        (self.folder / "judge.json").write_text(json.dumps({"evaluators": [
            {"type": "llm_judge", "model": model, "base_url": self.proxy + "/v1", "api_key_env": "PROXY_KEY",
             "prices": {model: {"input": 1, "output": 1}}}]}))
        output = self.folder / f"{model}.jsonl"
        output.unlink(missing_ok=True)
        run = subprocess.run(
            [sys.argv[1], "score", self.folder / "in.jsonl", "-c", self.folder / "judge.json", "-o", output,
             "--summary", self.folder / "summary.json", *more],
            env={**os.environ, "PROXY_KEY": key}, stderr=subprocess.PIPE, text=True)
        print(f"--- {model}: exit status {run.returncode}, "
              f"{tell(self.service, 'stats')['requests']} requests behind the proxy\n{run.stderr}")
        for secret in (PROXY_KEY, SERVICE_KEY, key):
            assert secret not in run.stderr, secret
        written = output.read_text() if output.exists() else ""
        return run.returncode, run.stderr, [json.loads(line) for line in written.splitlines()]


def main():
    if importlib.util.find_spec("litellm") is None or importlib.util.find_spec("fastapi") is None:
        print("litellm_proxy: SKIPPED, as litellm[proxy] is missing")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        service_process, service = start_service()
        proxy_process, proxy = start_proxy(folder, service)
        try:
            check(Runs(folder, service, proxy))
        finally:
            proxy_process.terminate()
            proxy_process.wait(60)
            service_process.stdin.close()


def check(runs):
    def judges():
        return json.loads((runs.folder / "summary.json").read_text())["judges"]

    status, _, lines = runs.score("good")
    assert status == 0 and [line["score"] for line in lines] == [i / 100 for i in range(RECORDS)], lines
    assert all(line["details"]["read_as"] == "json_schema" for line in lines), lines
    assert judges()["requests"] == RECORDS and judges()["prompt_tokens"] > 0 and judges()["cost"] > 0, judges()
    status, _, again = runs.score("good")
    assert status == 0 and again == lines and judges()["requests"] == 0 and judges()["cached"] == RECORDS, judges()

    status, said, _ = runs.score("refuses", "--judge-cache", "none")
    assert status == 2 and f"errors {RECORDS}: counts add up; judge_refused {RECORDS}" in said, said
    assert "the model refuses: \"I will not.\"" in said, said

    status, _, lines = runs.score("busy", "--judge-cache", "none")
    assert status == 0 and [line["score"] for line in lines] == [i / 100 for i in range(RECORDS)], lines
    assert judges()["retries"] >= RECORDS, judges()

    status, said, lines = runs.score("locked", "--judge-cache", "none")
    assert status == 2 and "401" in said and not lines, said
    # A proxy without a database cannot look for a key that is not its master's, and says only that.
    status, said, lines = runs.score("good", "--judge-cache", "none", key="sk-of-nobody-0123456789")
    assert status == 2 and "No connected db." in said and "failed as all others would" in said and not lines, said
    assert tell(runs.service, "stats")["requests"] == 0


if __name__ == "__main__":
    main()
