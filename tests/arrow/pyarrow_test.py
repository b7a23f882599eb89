#!/usr/bin/env python3
"""Hands data of pyarrow to the engine and back, through a library made of arrow_bridge.cc.

Usage: pyarrow_test.py BRIDGE_LIBRARY COMPILER INCLUDE_FOLDER. Exits with 77 (skipped) where there is no pyarrow.
"""

import ctypes
import gc
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import pyarrow as pa
except ImportError:
    print("pyarrow_test: SKIPPED, as python3 has no pyarrow; see tests/requirements.txt")
    sys.exit(77)

SCHEMA_BYTES, ARRAY_BYTES, STREAM_BYTES = 72, 80, 40
INDEX_TYPES = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]


class Struct:
    """Memory for a struct of the C data interface."""

    def __init__(self, size):
        self.memory = ctypes.create_string_buffer(size)
        self.address = ctypes.addressof(self.memory)

    def is_released(self):
        # `release` is the last but one of 8 bytes each in all of them.
        return self.memory.raw[-17:-9] == bytes(8)


class BridgeError(Exception):
    pass


def call(name, *arguments):
    """Calls a function of the bridge; structs are passed by address, and all but results must be taken over."""
    function = getattr(bridge, name)
    function.restype = ctypes.c_char_p
    error = function(
        *[ctypes.c_void_p(a.address) if isinstance(a, Struct) else ctypes.c_char_p(a.encode()) for a in arguments]
    )
    if error is not None:
        raise BridgeError(error.decode())


def through(name, array, *arguments):
    """Calls a function of the bridge that makes an array of an array."""
    schema_in, array_in = Struct(SCHEMA_BYTES), Struct(ARRAY_BYTES)
    schema_out, array_out = Struct(SCHEMA_BYTES), Struct(ARRAY_BYTES)
    array._export_to_c(array_in.address, schema_in.address)
    try:
        call(name, schema_in, array_in, *arguments, schema_out, array_out)
    finally:
        assert schema_in.is_released() and array_in.is_released(), "not taken over"
    result = pa.Array._import_from_c(array_out.address, schema_out.address)
    result.validate(full=True)
    return result


def connect(reader, text="text", kept="kept"):
    """Returns the stream that the bridge makes of a stream."""
    stream_in, stream_out = Struct(STREAM_BYTES), Struct(STREAM_BYTES)
    reader._export_to_c(stream_in.address)
    try:
        call("ConnectStreams", stream_in, text, kept, stream_out)
    finally:
        assert stream_in.is_released(), "not taken over"
    return pa.RecordBatchReader._import_from_c(stream_out.address)


def some_texts(rows):
    return [None if i % 3 == 1 else chr(ord("a") + i % 26) * (i * 7 % 41) for i in range(rows)]


def encoded(texts, index_type, value_type):
    """A dictionary array of the texts, with a null in the dictionary for every second null."""
    values = sorted({t for t in texts if t is not None}) + [None]
    indexes = [values.index(t) if t is not None or i % 2 == 0 else None for i, t in enumerate(texts)]
    return pa.DictionaryArray.from_arrays(pa.array(indexes, index_type), pa.array(values, value_type))


def text_arrays(texts):
    """The texts in every type that a column of texts can have."""
    for value_type in TEXT_TYPES:
        yield pa.array([t.encode() if t is not None else None for t in texts], pa.binary()).cast(value_type)
        for index_type in INDEX_TYPES:
            yield encoded(texts, index_type, pa.string()).cast(pa.dictionary(index_type, pa.string()))
    for value_type in (pa.large_string(), pa.string_view()):
        yield encoded(texts, pa.int16(), value_type)


def scorer_row(text):
    if text is None:
        return {"text": None, "bytes": None, "is_long": None, "pieces": None}
    pieces = [
        {"path": str(i), "expected": c, "actual": c if i % 2 else None, "similarity": float(i % 2)}
        for i, c in enumerate(text)
    ]
    return {"text": text, "bytes": float(len(text)), "is_long": len(text) > 12, "pieces": pieces}


class LeakTest(unittest.TestCase):
    """Every test gives back all memory of pyarrow that it took."""

    def setUp(self):
        gc.collect()
        self.bytes_before = pa.total_allocated_bytes()

    def tearDown(self):
        gc.collect()
        self.assertEqual(pa.total_allocated_bytes(), self.bytes_before, "memory of pyarrow was not given back")


class TextsTest(LeakTest):
    def test_every_type_at_every_offset(self):
        texts = some_texts(40)
        for array in text_arrays(texts):
            for offset in range(18):
                result = through("CopyTexts", array.slice(offset, 20))
                self.assertEqual(result.type, pa.string())
                self.assertEqual(result.to_pylist(), texts[offset : offset + 20], f"{array.type} at {offset}")

    def test_without_nulls(self):
        texts = [t or "" for t in some_texts(40)]
        for array in text_arrays(texts):
            for offset in range(18):
                self.assertEqual(through("CopyTexts", array.slice(offset)).to_pylist(), texts[offset:])

    def test_empty(self):
        for array in text_arrays([]):
            self.assertEqual(through("CopyTexts", array).to_pylist(), [])
        for array in text_arrays(["a", None]):
            self.assertEqual(through("CopyTexts", array.slice(2)).to_pylist(), [])

    def test_null_type(self):
        self.assertEqual(through("CopyTexts", pa.nulls(20)).to_pylist(), [None] * 20)
        self.assertEqual(through("CopyTexts", pa.nulls(20).slice(3)).to_pylist(), [None] * 17)

    def test_chunks(self):
        column = pa.chunked_array([some_texts(5), [], some_texts(30)[7:]], pa.large_string())
        texts = [t for chunk in column.chunks for t in through("CopyTexts", chunk).to_pylist()]
        self.assertEqual(texts, some_texts(5) + some_texts(30)[7:])

    def test_extension_types_count_as_what_they_are_stored_as(self):
        if hasattr(pa, "json_"):
            array = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a": 1}', None]))
            self.assertEqual(through("CopyTexts", array).to_pylist(), ['{"a": 1}', None])

    def test_other_types_are_refused(self):
        for array, name in [
            (pa.array([1]), "int64"),
            (pa.array([1.5]), "double"),
            (pa.array([True]), "bool"),
            (pa.array([["a"]]), "list"),
            (pa.array([{"a": "b"}]), "struct"),
            (pa.array([1], pa.timestamp("s")), "timestamp"),
            (pa.array([b"ab"], pa.binary(2)), "fixed_size_binary"),
            (pa.array([1, 1]).dictionary_encode(), "a dictionary of int64"),
            (pa.RunEndEncodedArray.from_arrays([2], ["a"]), "run_end_encoded"),
        ]:
            with self.assertRaisesRegex(BridgeError, f'column "" holds {name} .*; give a string column'):
                through("CopyTexts", array)


class ShareTest(LeakTest):
    def kept_arrays(self):
        yield from text_arrays(some_texts(20))
        yield pa.nulls(20)
        yield pa.array([i if i % 4 else None for i in range(20)])
        yield pa.array([i % 3 == 0 for i in range(20)])
        yield pa.array([[i, None] if i % 4 else None for i in range(20)])
        yield pa.array([{"a": i, "b": [{"c": str(i)}]} if i % 4 else None for i in range(20)])
        yield pa.array([[("key", i)] for i in range(20)], pa.map_(pa.string(), pa.int64()))
        yield pa.array([[i, i] for i in range(20)], pa.list_(pa.int8(), 2))
        yield pa.RunEndEncodedArray.from_arrays([7, 20], ["a", None])
        ints, texts = pa.array(range(20)), pa.array([str(i) for i in range(20)])
        types = pa.array([i % 2 for i in range(20)], pa.int8())
        yield pa.UnionArray.from_sparse(types, [ints, texts])
        yield pa.UnionArray.from_dense(types, pa.array([i // 2 for i in range(20)], pa.int32()), [ints, texts])

    def test_members_of_structs_with_an_offset(self):
        for array in self.kept_arrays():
            struct = pa.StructArray.from_arrays([pa.array(range(20)), array], ["id", "kept"])
            for offset in (0, 1, 9, 20):
                for rows in (0, 5, 20):
                    shared = through("TakeMember", struct.slice(offset, rows), "kept")
                    self.assertEqual(shared.type, array.type)
                    self.assertEqual(shared.to_pylist(), array.slice(offset, rows).to_pylist(), array.type)

    def test_memory_is_shared_and_lives_as_long(self):
        array = pa.array(some_texts(20))
        wanted, address = array.to_pylist(), array.buffers()[2].address
        struct = pa.StructArray.from_arrays([array], ["kept"])
        shared = through("TakeMember", struct, "kept")
        del array, struct
        gc.collect()
        self.assertEqual(shared.buffers()[2].address, address)
        self.assertEqual(shared.to_pylist(), wanted)

    def test_structs_that_are_null(self):
        struct = pa.array([{"kept": "a"}, None, {"kept": "b"}])
        with self.assertRaisesRegex(BridgeError, "row 1 .* null as a whole"):
            through("TakeMember", struct, "kept")
        self.assertEqual(through("TakeMember", struct.slice(2), "kept").to_pylist(), ["b"])


class StreamTest(LeakTest):
    def table(self, texts, text_type=pa.string()):
        kept = pa.array([[i] if i % 5 else None for i in range(len(texts))], pa.list_(pa.int64()))
        schema = pa.schema(
            [
                pa.field("kept", kept.type, metadata={"unit": "apples"}),
                pa.field("text", text_type),
                pa.field("other", pa.int64(), nullable=False),
            ]
        )
        return pa.table([kept, pa.array(texts).cast(text_type), pa.array(range(len(texts)))], schema)

    def check(self, table, reader):
        result = connect(reader).read_all()
        result.validate(full=True)
        self.assertEqual(result.schema.field("kept"), table.schema.field("kept"))
        self.assertEqual(result.schema.field("kept").metadata, {b"unit": b"apples"})
        self.assertEqual(result["kept"].to_pylist(), table["kept"].to_pylist())
        self.assertEqual(result["scorer"].to_pylist(), [scorer_row(t) for t in table["text"].to_pylist()])

    def test_batches_of_every_size(self):
        for text_type in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
            table = self.table(some_texts(40), text_type)
            for rows in (1, 3, 8, 17, 40):
                self.check(table, table.to_reader(max_chunksize=rows))
                self.check(table[5:], table[5:].to_reader(max_chunksize=rows))

    def test_schema_is_that_of_the_fields(self):
        reader = connect(self.table([]).to_reader())
        piece = pa.struct(
            [
                pa.field("path", pa.string(), nullable=False),
                pa.field("expected", pa.string()),
                pa.field("actual", pa.string()),
                pa.field("similarity", pa.float64(), nullable=False),
            ]
        )
        scorer = pa.struct(
            [
                ("text", pa.string()),
                ("bytes", pa.float64()),
                ("is_long", pa.bool_()),
                ("pieces", pa.list_(pa.field("item", piece, nullable=False))),
            ]
        )
        self.assertEqual(reader.schema.field("scorer"), pa.field("scorer", scorer, nullable=False))
        self.assertEqual(reader.read_all().num_rows, 0)

    def test_no_batch_and_empty_batches(self):
        empty = self.table([])
        self.check(empty, pa.RecordBatchReader.from_batches(empty.schema, []))
        batches = empty.to_batches() or [pa.RecordBatch.from_pylist([], empty.schema)]
        self.check(empty, pa.RecordBatchReader.from_batches(empty.schema, batches * 2))

    def test_batches_outlive_their_streams(self):
        table = self.table(some_texts(20))
        reader = connect(table.to_reader(max_chunksize=7))
        batches = list(reader)
        del reader, table
        gc.collect()
        texts = [t for batch in batches for t in batch["scorer"].field("text").to_pylist()]
        self.assertEqual(texts, some_texts(20))

    def test_streams_may_be_left_unread(self):
        reader = connect(self.table(some_texts(20)).to_reader(max_chunksize=7))
        reader.read_next_batch()
        reader.close()
        connect(self.table(some_texts(20)).to_reader())

    def test_unknown_column(self):
        with self.assertRaisesRegex(BridgeError, 'unknown column "txt"; did you mean "text"\\? valid: kept, text, other'):
            connect(self.table([]).to_reader(), text="txt")

    def test_errors_of_their_stream(self):
        table = self.table(some_texts(5))

        def batches():
            yield from table.to_batches()
            raise ValueError("the tap is dry")

        reader = connect(pa.RecordBatchReader.from_batches(table.schema, batches()))
        self.assertEqual(reader.read_next_batch().num_rows, 5)
        for _ in range(2):
            with self.assertRaisesRegex(OSError, "cannot read the next record batch .*the tap is dry"):
                reader.read_next_batch()

    def test_damaged_batches(self):
        offsets = pa.py_buffer((0).to_bytes(4, "little") + (2).to_bytes(4, "little") + (1).to_bytes(4, "little"))
        damaged = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab")])
        batch = pa.record_batch([damaged, pa.array([1, 2])], ["text", "kept"])
        reader = connect(pa.RecordBatchReader.from_batches(batch.schema, [batch]))
        with self.assertRaisesRegex(OSError, 'column "text" is damaged: row 1 begins at offset 2 and ends at 1'):
            reader.read_next_batch()


class ScoreStreamTest(LeakTest):
    """Streams of every type of text score as pairs of Python values do."""

    CONFIG = '{"evaluators": [{"type": "json_similarity"}, {"type": "levenshtein"}]}'
    EXPECTED = ['{"a": "abcd", "b": 1}', "[1, 2]", None, "3", '"x"']
    ACTUAL = ['{"a": "abcx", "b": 1}', "[1, 3]", "1", None, "["]
    SCORES = [(0.75 + 1) / 2, (1 + 1 / 2) / 2, None, None, None]
    REASONS = [None, None, "missing_expected", "missing_actual", "invalid_json"]

    def score(self, batches, schema):
        stream_in, stream_out = Struct(STREAM_BYTES), Struct(STREAM_BYTES)
        pa.RecordBatchReader.from_batches(schema, batches)._export_to_c(stream_in.address)
        call("ScoreStream", stream_in, self.CONFIG, "id", "model", stream_out)
        self.assertTrue(stream_in.is_released())
        table = pa.RecordBatchReader._import_from_c(stream_out.address).read_all()
        table.validate(full=True)
        return table

    def test_every_type_sliced(self):
        for expected, actual in zip(text_arrays(self.EXPECTED), text_arrays(self.ACTUAL)):
            for first in range(5):
                batch = pa.record_batch(
                    [pa.array(range(5)), expected, actual, pa.array(["m", None, "m", "n", "m"])],
                    ["id", "expected", "actual", "model"],
                ).slice(first)
                with self.subTest(type=expected.type, first=first):
                    table = self.score([batch, batch], batch.schema)
                    self.assertEqual(table["id"].to_pylist(), 2 * list(range(first, 5)))
                    rows = table["json_similarity"].to_pylist()
                    self.assertEqual([row["score"] for row in rows], 2 * self.SCORES[first:])
                    self.assertEqual([row["reason"] for row in rows], 2 * self.REASONS[first:])
                    self.assertEqual(set(table["levenshtein"].type.field(i).name for i in range(10)),
                                     {"outcome", "score", "passed", "distance", "label", "reason", "message", "causes",
                                      "leaves", "leaves_cut"})

    def test_leaves(self):
        batch = pa.record_batch(
            [pa.array([7]), pa.array([self.EXPECTED[0]]), pa.array([self.ACTUAL[0]]), pa.array(["m"])],
            ["id", "expected", "actual", "model"],
        )
        leaves = self.score([batch], batch.schema)["json_similarity"].to_pylist()[0]["leaves"]
        self.assertEqual(leaves, [
            {"path": "a", "expected": '"abcd"', "actual": '"abcx"', "similarity": 0.75},
            {"path": "b", "expected": "1", "actual": "1", "similarity": 1.0},
        ])

    def test_columns_that_are_not_there(self):
        batch = pa.record_batch([pa.array(["1"])], ["expected"])
        with self.assertRaisesRegex(BridgeError, "actual"):
            self.score([batch], batch.schema)


class HeaderTest(unittest.TestCase):
    def test_beside_the_header_of_arrow(self):
        ours, theirs = '#include "leafscore/arrow.h"\n', "#include <arrow/c/abi.h>\n"
        use = "ArrowSchema a; ArrowArray b; ArrowArrayStream c;\n"
        with tempfile.TemporaryDirectory() as folder:
            for i, text in enumerate([ours + theirs, theirs + ours]):
                source = os.path.join(folder, f"order{i}.cc")
                with open(source, "w", encoding="utf-8") as file:
                    file.write(text + use)
                folders = ["-I", include_folder, "-I", pa.get_include()]
                subprocess.run([compiler, "-fsyntax-only", *folders, source], check=True)


if __name__ == "__main__":
    bridge = ctypes.CDLL(sys.argv[1])
    compiler, include_folder = sys.argv[2:4]
    print("pyarrow", pa.__version__)
    unittest.main(argv=sys.argv[:1], verbosity=1)
