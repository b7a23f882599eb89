"""What installs leafscore: Debian packages, the action, hooks and workflows. What needs other machines is only read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "action.yml").exists():
    pytest.skip("the tests are not in leafscore's tree", allow_module_level=True)
yaml: Any = pytest.importorskip("yaml")

VERSION = re.search(r"project\(leafscore VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
SUMMARY = "## improved\n"
WORDS = ("apricot", "bolts", "chimney", "dune", "ivy", "quilt")
# What the tests need, and tools that debhelper brings or a Python package needs.
NOT_OF_DEBIAN = {"ccache", "git", "g++", "libbenchmark-dev", "libgmock-dev", "make", "python3-dev", "python3-venv"}


def test_the_versions_are_one() -> None:
    assert VERSION is not None
    assert (ROOT / "debian" / "changelog").read_text().startswith(f"leafscore ({VERSION[1]}) ")
    assert f"\nversion: {VERSION[1]}\n" in (ROOT / "CITATION.cff").read_text()


def test_debian_packages_need_what_the_build_needs() -> None:
    control = (ROOT / "debian" / "control").read_text()
    [needed] = re.findall(r"^Build-Depends:\n((?: .*\n)+)", control, re.M)
    named = set(re.findall(r"^ ([^ ,(]+)", needed, re.M)) - {"debhelper-compat"}
    listed = set(re.findall(r"^build (.+)$", (ROOT / "cmake" / "debian-packages.txt").read_text(), re.M))
    assert named == listed - NOT_OF_DEBIAN


def test_the_release_knows_its_own_files() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        for name, job in yaml.safe_load(path.read_text())["jobs"].items():
            for step in job["steps"]:
                assert ("run" in step) != ("uses" in step), (path.name, name)
                for target in re.findall(r"^make ([a-z-]+)", step.get("run", ""), re.M):
                    assert f"\n{target}:" in (ROOT / "Makefile").read_text(), target


class Action:
    """The steps of action.yml, with programs of our own in place of those of GitHub's machines."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
        # Without a leafscore that this machine may have.
        for program in ("bash", "cat", "grep", "tail", "mktemp", "mkdir", "sh", "env", "python3"):
            found = sys.executable if program == "python3" else shutil.which(program)
            assert found is not None
            (self.bin / program).write_text(f'#!/bin/sh\nexec "{found}" "$@"\n')
            (self.bin / program).chmod(0o755)

    def program(self, name: str, text: str) -> None:
        (self.bin / name).write_text("#!/bin/sh\n" + text)
        (self.bin / name).chmod(0o755)

    def run(self, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
        [step] = [step for step in self.steps if step["name"] == name]
        given = {"PATH": str(self.bin), "RUNNER_TEMP": str(self.folder), "GITHUB_PATH": str(self.folder / "path")}
        given |= {variable: "" for variable in step["env"]}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**given, "HOME": str(self.folder), "TMPDIR": str(self.folder), **environment},
        )


@pytest.fixture
def action(tmp_path: Path) -> Action:
    return Action(tmp_path)


def stub_wheel(folder: Path) -> Path:
    """Returns a wheel of the package's name with a command in it."""
    path = folder / "leafscore-0.1.0-py3-none-any.whl"
    info = "leafscore-0.1.0.dist-info"
    files = {
        "leafscore-0.1.0.data/scripts/leafscore": "#!/bin/sh\necho leafscore 0.1.0\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: leafscore\nVersion: 0.1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(path, "w") as wheel:
        record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
        for name, text in {**files, f"{info}/RECORD": record}.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = 0o100755 << 16  # pip keeps it
            wheel.writestr(member, text)
    return path


def test_the_action_installs_the_release_of_its_tag(action: Action, tmp_path: Path) -> None:
    wheel = stub_wheel(tmp_path)
    # gh release download TAG --repo REPOSITORY --pattern PATTERN --dir FOLDER
    action.program("gh", f'echo "$3 $5 $7" >> gh.log; mkdir -p "$9"; cat "{wheel}" > "$9/{wheel.name}"\n')
    done = action.run("Install", TAG="v0.1.0", REPOSITORY="someone/leafscore")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "gh.log").read_text() == "v0.1.0 someone/leafscore leafscore-*.whl\n"
    command = Path((tmp_path / "path").read_text().strip()) / "leafscore"
    assert subprocess.run([command], capture_output=True, text=True).stdout == "leafscore 0.1.0\n"


def test_a_version_comes_before_the_tag_and_a_branch_is_none(action: Action, tmp_path: Path) -> None:
    action.program("gh", 'echo "$3" >> gh.log; exit 4\n')
    for version in ("0.2.0", "v0.2.0"):
        assert action.run("Install", VERSION=version, TAG="v0.1.0").returncode == 4
    assert (tmp_path / "gh.log").read_text() == "v0.2.0\nv0.2.0\n"
    for tag in ("main", "", "v1", "v1.2.3; id"):
        refused = action.run("Install", TAG=tag)
        assert refused.returncode == 2
        assert refused.stdout.startswith(f"::error title=leafscore::'{tag}' is no release")


def test_what_is_in_the_path_is_taken(action: Action) -> None:
    action.program("leafscore", "exit 0\n")
    assert action.run("Install", TAG="main").returncode == 0


@pytest.mark.parametrize("status", [0, 1])
@pytest.mark.parametrize("earlier", ["", "41\n42\n"])
def test_a_comment_is_written_or_replaced(action: Action, tmp_path: Path, status: int, earlier: str) -> None:
    compare = f'echo "$*" > leafscore.log; printf "%s" "{SUMMARY}" > "$GITHUB_STEP_SUMMARY"; exit {status}\n'
    action.program("leafscore", compare)
    action.program(
        "gh",
        f'case "$*" in *--paginate*) printf "%s" "{earlier}";; *) echo "$*" > gh.log\n'
        'for each; do case $each in body=@*) cat "${each#body=@}" > body.md;; esac; done;; esac\n',
    )
    given = {"BASE": "a b.jsonl", "NEW": "c.jsonl\n\nd.jsonl\n", "ARGS": "--fail-on regressed"}
    place = {"PULL_REQUEST": "7", "REPOSITORY": "me/mine"}
    done = action.run("Comment", COMMENT="true", **given, **place)
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "leafscore.log").read_text()
    assert said == "compare --github --fail-on regressed -- a b.jsonl c.jsonl d.jsonl\n"
    assert (tmp_path / "body.md").read_text() == "<!-- leafscore compare -->\n" + SUMMARY
    wanted = "-X PATCH repos/me/mine/issues/comments/42 " if earlier else "-X POST repos/me/mine/issues/7/comments "
    assert wanted in (tmp_path / "gh.log").read_text()


def test_no_comment_without_a_wish_or_a_pull_request(action: Action) -> None:
    assert action.run("Comment", COMMENT="true").returncode == 0
    assert action.run("Comment", COMMENT="false", PULL_REQUEST="7").returncode == 0


def test_a_comparison_that_cannot_be_made_fails(action: Action) -> None:
    action.program("leafscore", "exit 2\n")
    done = action.run("Comment", COMMENT="true", PULL_REQUEST="7", REPOSITORY="me/mine", BASE="x", NEW="y")
    assert done.returncode != 0


def each_file(*arguments: str, path: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
    script = ROOT / "python" / "for_each_file.sh"
    return subprocess.run([script, *arguments], capture_output=True, text=True, cwd=cwd, env=environment)


def test_hooks_refuse_what_the_command_refuses(command: str, tmp_path: Path) -> None:
    good = "".join(f'{{"id": {word!r}, "expected": {{"word": {word!r}}}}}\n'.replace("'", '"') for word in WORDS)
    (tmp_path / "gold good.jsonl").write_text(good)
    (tmp_path / "gold.jsonl").write_text(good + '{"id": "x", "expected": {"word": "TODO"}}\n')
    (tmp_path / "scorers.yaml").write_text("evaluators:\n  - type: exact_match\n")
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}

    def run(hook: str, *files: str) -> subprocess.CompletedProcess[str]:
        script, *entry = hooks[hook]["entry"].split()
        assert ROOT / script == ROOT / "python" / "for_each_file.sh"
        return each_file(*entry, *hooks[hook]["args"], *files, path=Path(command).parent, cwd=tmp_path)

    refused = run("leafscore-lint", "gold good.jsonl", "gold.jsonl")
    assert refused.returncode == 1
    assert refused.stdout.startswith("gold.jsonl:\ndoubtful: ")
    assert "placeholder_gold" in refused.stdout
    assert run("leafscore-lint", "gold good.jsonl").returncode == 0
    assert run("leafscore-check", "scorers.yaml").returncode == 0
    assert run("leafscore-check", "scorers.yaml", "nothing.yaml").returncode == 2
    for hook in hooks.values():
        assert re.search(hook["files"], {"lint": "data/gold.jsonl", "check": "scorers.yaml"}[hook["entry"].split()[1]])


def test_hooks_say_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "leafscore").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "leafscore").chmod(0o755)
    refused = each_file("lint", "gold.jsonl", path=tmp_path, cwd=tmp_path)
    assert refused.returncode == 2
    assert "-- is missing between options and files" in refused.stderr
