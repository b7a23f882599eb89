"""leafscore-convert as a process: exit statuses, standard streams, full disks, signals."""

import json
import os
import shlex
import signal
import stat
import subprocess
import time
import unittest

from conversion_testing import COMMAND, DATA, FORMATS, ROOT, ConversionTest, run_command
from leafscore.convert.__main__ import parser
from leafscore.convert.outputs import whole_path

RECORD = '{"id": "%s", "expected": 1, "actual": 1}\n'
FULL = "/dev/full"


class CommandTest(ConversionTest):
    def ended(self, status: int, *arguments, **how) -> subprocess.CompletedProcess:
        ended = run_command(*arguments, text=True, **how)
        self.assertEqual(ended.returncode, status, ended.stderr)
        self.assertNotIn("Traceback", ended.stderr or "")
        return ended

    def test_list_tells_all_formats(self) -> None:
        listed = self.ended(0, "--list").stdout
        for name in FORMATS:
            self.assertIn(f"{name} ", listed)

    def test_all_options_and_formats_are_described(self) -> None:
        page = ROOT.parent / "docs" / "adapters.md"
        if not page.exists():
            self.skipTest("the tests are not in leafscore's tree")
        options = {name for action in parser()._actions for name in action.option_strings[-1:]} - {
            "--help",
            "--output",
        }
        for name in [*options, *FORMATS]:
            self.assertIn(f"`{name}", page.read_text())

    def test_a_conversion_tells_what_it_counted(self) -> None:
        ended = self.ended(0, DATA / "openai_evals" / "match.jsonl")
        self.assertEqual(len(ended.stdout.splitlines()), 4)
        self.assertIn("-> -: 4 records\n", ended.stderr)
        self.assertIn("without a target: 1 (", ended.stderr)
        self.assertEqual(self.ended(0, DATA / "openai_evals" / "match.jsonl", "--quiet").stderr, "")

    def test_bad_lines_are_status_1_with_an_output(self) -> None:
        lines = RECORD % "a" + '{"id": "b", \n' * 12
        output = self.folder / "out.jsonl"
        ended = self.ended(1, self.file("in.jsonl", lines), "-o", output)
        self.assertEqual(len(output.read_text().splitlines()), 13)
        self.assertEqual(ended.stderr.count("in.jsonl:"), 10)
        self.assertIn("13 records, 12 lines cannot be read", ended.stderr)

    def test_what_cannot_run_is_status_2_and_leaves_what_was_there(self) -> None:
        output = self.file("out.jsonl", "old")
        good = self.file("in.jsonl", RECORD % "a")
        cases = [
            ([], "no input is named"),
            (["missing.jsonl"], "missing.jsonl does not exist"),
            ([self.folder / "empty"], "holds neither samples_*.jsonl nor *.eval"),
            (["-"], "give --from"),
            ([good, "--from", "lm-eval", "--to", "inspect", "-o", output], "not as"),
            ([good, "--from", "nonsense"], "invalid choice"),
            ([good, "--nonsense"], "unrecognized"),
            ([good, "-o", self.folder], "exists as a folder"),
            ([good, "-o", self.folder / "no" / "out.jsonl"], "No such file"),
            ([good, "-o", good], "is, or lies in, the input"),
            (
                [self.file("cut.jsonl.gz", b"\x1f\x8b\x08"), "--from", "records", "-o", output],
                "not whole gzip",
            ),
            ([good, "--from", "promptfoo", "-o", output], "has no list of results"),
            ([good, "--to", "hf"], "cannot be written to -"),
            ([good, "-o", ""], "cannot be written to a file without a name"),
            ([""], "an input has an empty name"),
            (["new\nline\u202e"], "new\\u000Aline\\u202E does not exist"),
        ]
        (self.folder / "empty").mkdir()
        for arguments, sentence in cases:
            with self.subTest(sentence=sentence):
                self.assertIn(sentence, self.ended(2, *arguments).stderr)
        self.assertEqual(output.read_text(), "old")
        left = {"in.jsonl", "out.jsonl", "empty", "cut.jsonl.gz"}
        self.assertEqual({path.name for path in self.folder.iterdir()}, left)

    def test_standard_input_and_gzip_output(self) -> None:
        packed = self.folder / "out.jsonl.gz"
        self.ended(0, "-", "--from", "records", "-o", packed, stdin=None, input=RECORD % "a" + RECORD % "b")
        self.assertEqual(self.ended(0, packed).stdout, RECORD % "a" + RECORD % "b")
        again = self.folder / "again.jsonl.gz"
        self.ended(0, packed, "-o", again)
        self.assertEqual(packed.read_bytes(), again.read_bytes())

    def test_the_output_gets_its_name_when_it_is_whole(self) -> None:
        mine = self.file("out.jsonl.partial", "mine")
        pipe = self.folder / "in.jsonl"
        os.mkfifo(pipe)
        command = [*COMMAND, pipe, "--from", "records", "-o", self.folder / "out.jsonl"]
        for how in (signal.SIGTERM, signal.SIGINT, None):
            with self.subTest(how=how):
                process = subprocess.Popen(command, stderr=subprocess.PIPE)
                with process, open(pipe, "w") as writer:
                    writer.write(RECORD % "a" * 20_000)
                    writer.flush()
                    self.await_file(self.folder / "out.jsonl.partial-2")
                    self.assertFalse((self.folder / "out.jsonl").exists())
                    if how is not None:
                        process.send_signal(how)
                        process.wait(10)
                    writer.flush()
                    if how is not None:
                        self.swallow_pipe_error(writer)
                self.assertEqual(process.returncode, {None: 0}.get(how, 128 + (how or 0)))
                names = {"in.jsonl", "out.jsonl.partial"} | ({"out.jsonl"} if how is None else set())
                self.assertEqual({path.name for path in self.folder.iterdir()}, names)
        self.assertEqual(mine.read_text(), "mine")

    def test_an_output_that_fails_takes_no_file_beside_it_away(self) -> None:
        """What had come to lie under the partial name was removed, and so was a file that ends in .partial.arrow."""
        output = self.folder / "out.parquet"
        mine = self.file("out.parquet.partial.arrow", "mine")
        with whole_path(str(output)) as first:
            with self.assertRaises(FileExistsError), whole_path(str(output)) as second:
                first.write_text("first")
                second.with_name(second.name + ".arrow").write_text("of the second")
                raise FileExistsError
            self.assertEqual(first.read_text(), "first")
        self.assertEqual(output.read_text(), "first")
        self.assertEqual(mine.read_text(), "mine")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {output.name, mine.name})

    @staticmethod
    def swallow_pipe_error(writer) -> None:
        try:
            writer.close()
        except BrokenPipeError:
            pass

    def await_file(self, path) -> None:
        for _ in range(500):
            if path.exists():
                return
            time.sleep(0.02)
        self.fail(f"{path} did not appear")

    def test_permissions_are_those_of_any_new_file(self) -> None:
        output = self.folder / "out.jsonl"
        self.ended(0, self.file("in.jsonl", RECORD % "a"), "-o", output)
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE(output.stat().st_mode), 0o666 & ~mask)

    @unittest.skipUnless(os.path.exists(FULL), "there is no /dev/full")
    def test_a_full_disk(self) -> None:
        path = self.file("in.jsonl", RECORD % "a")
        with open(FULL, "w") as full:
            self.assertIn("No space left", self.ended(2, path, stdout=full).stderr)
            self.ended(0, path, stderr=full)
        self.assertIn("No space left", self.ended(2, path, "-o", FULL).stderr)

    def test_closed_streams(self) -> None:
        path = self.file("in.jsonl", RECORD % "a")

        def shell(redirection: str, program: str = " ".join(map(shlex.quote, COMMAND))):
            line = f"{program} {path} {redirection}"
            return subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True)

        closed = shell(">&-")
        self.assertEqual(closed.returncode, 2)
        self.assertIn("standard output is closed", closed.stderr)
        self.assertEqual(shell("2>&-").returncode, 0)
        self.assertEqual(shell(f">&- 2>&- -o '{self.folder}/out.jsonl'").returncode, 0)
        self.assertEqual(shell("--list >&-").returncode, 2)
        path = self.file("many.jsonl", "".join(RECORD % number for number in range(50_000)))
        ended = shell("| head -1")
        self.assertEqual((ended.stdout, ended.stderr.count("\n")), (RECORD % 0, 1), ended.stderr)
        self.assertIn("the reader of - is gone", ended.stderr)

    def test_memory_stays_bounded(self) -> None:
        """100 MB of answers pass through less memory than they take."""
        path = self.folder / "big.jsonl"
        with open(path, "w") as file:
            for number in range(1000):
                file.write(json.dumps({"id": number, "expected": 1, "actual": "x" * 100_000}) + "\n")
        # Its own peak: what wait4 tells begins with that of the process that started it.
        program = (
            "import os, re, runpy, sys; sys.argv.pop(0); sys.path.insert(0, os.path.dirname(sys.argv[0]))\n"
            "try: runpy.run_path(sys.argv[0], run_name='__main__')\n"
            "finally: print(re.search('VmHWM:\\\\s+(\\\\d+)', open('/proc/self/status').read())[1])"
        )
        command = [COMMAND[0], "-c", program, COMMAND[1], path, "-o", self.folder / "out.jsonl"]
        ended = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertLess(int(ended.stdout), 90_000)  # kB; of which Python and leafscore's core take up to 60,000


if __name__ == "__main__":
    unittest.main()
