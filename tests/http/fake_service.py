#!/usr/bin/env python3
"""A service that speaks OpenAI's chat completions, Anthropic's Messages or Gemini's generateContent, by the path, as
badly as a test wants it to.

Usage: fake_service.py [CERTIFICATE KEY]: prints its port, and ends with its standard input.

The path of a request says what becomes of it: /STEPS/v1/chat/completions, /STEPS/v1/messages or
/STEPS/v1/models/MODEL:generateContent, where STEPS are steps with commas
between, one for each time that the same body comes; the last one stays. A step is words with plus signs between:

  ok            a completion whose content is {"justification", "score"}: the number behind the last SCORE= in the
                messages, or 50; for a request with `verdicts` in its schema, the words behind VERDICTS= (k:similar;l:wrong)
                - or, for a comparison of two answers, the one with the larger SCORE=
  NUMBERms      waits before it answers           rNUMBER       adds Retry-After
  NUMBER        answers with that status          faultsNUMBER  that share of bodies (%) fails at first
  cut, cuthead  breaks off in the body, the head  hang          never answers
  drip          sends a byte each 3 ms            html          a page instead of JSON
  huge          20 MB                             long, short   a Content-Length that is too large, too small
  redirect      to another host                   echo          answers 401 with the request's own Authorization
  noschema      400 to a json_schema              nojson        400 to any response_format
  prose         the JSON ends a text              fence         and between marks of code
  trailing      text behind it                    deaf          says nothing of a format that it does not know
  refuse        the model refuses                 filter        the service's filter does
  length        the reply was cut by max_tokens   badscore      a score that is none
  noscore       no score                          over          a score of 150
  half          half of the score                 bighead       a header of 300 kB
  nousage       does not count tokens             badusage      counts fewer than none
  verbose       counts 4,000 tokens written     betray        the model tells the key, in escapes within escapes
  scoreNUMBER   that score                        choiceNAME    that choice
  swayed        20 more for an answer that asks for the full score
  empty         no choices                        quota         429 that no waiting helps
  notool        400 to a request with tools       words         calls no tool, but writes what it should pass
  repeats       400, with the request, to what holds TOO LONG; only to a json_schema with `brittle`
  nobounds      400 to a schema with `minimum`, which it does not name
  notemperature, nomaxtokens  400 to a request with that parameter, which it names
  think         reasoning with a draft of the object comes first, without the beginning of its block
  parts         the content is a list of parts    textscore     the score is a text
  proxyrefuse   the model refuses behind LiteLLM
  quoteKIND     takes no notice of a format, and quotes the actual output: QUOTES has the kinds
  limit         says in headers that no requests are left for 300 ms
  left          says in headers that 7 are left, and more in 300 ms
  calls         calls the tool though it was not asked to
  splitkey      the model tells the key in two parts of its text
  wantsKEY      401 to a request with another key
  errorNUMBER   answers with status 200 and an error with that code

Below the same /STEPS/v1 are the batch services of OpenAI (/files, /batches), Anthropic (/messages/batches) and Gemini
(/models/MODEL:batchGenerateContent, /batches). The steps are those of each question in turn, as if it came alone; and
words about batches:

  pollsNUMBER   a batch ends only at that look          bexpires    the first batch expires with every second question
  bcancels      the same, but it is cancelled           bfails      the first batch fails as a whole
  bhalf         every second question of the first batch has status 500
  bunknown      there is a reply to a question that nobody asked, and one reply comes twice
  bother        the replies of the second batch are those of the first
  bmissing      the last reply of the first batch is missing
  bgone         the results of the first batch are not there any more
  blost         a batch is taken, and the connection breaks before the reply
  bbusy         429 to the first batch                  bpath       ids lead elsewhere
  bsilentNUMBER as many looks at a batch are answered with {}

POST /stats answers what was seen so far, POST /bodies the bodies, POST /reset forgets both.
"""
import asyncio
import hashlib
import html
import json
import re
import ssl
import sys


class Service:
    def __init__(self):
        self.reset()

    def reset(self):
        self.requests = 0
        self.answered = 0
        self.at_once = 0
        self.most_at_once = 0
        self.times = {}   # by body: how often it came
        self.paid = {}    # by body: how often it was answered with a completion, and that was sent whole
        self.bodies = []
        self.connections = 0
        self.headers = {}
        self.files = {}
        self.batches = {}   # by id: as handed over, with looks and replies
        self.looks = 0

    def stats(self):
        return {"requests": self.requests, "answered": self.answered, "most_at_once": self.most_at_once,
                "bodies": len(self.times), "most_of_a_body": max(self.times.values(), default=0),
                "paid": sum(self.paid.values()), "most_paid_of_a_body": max(self.paid.values(), default=0),
                "connections": self.connections, "headers": self.headers, "batches": len(self.batches),
                "batch_questions": [len(batch["questions"]) for batch in self.batches.values()],
                "looks": self.looks}


service = Service()


def escaped(text):
    return json.dumps(text)[1:-1]


def unicode_escaped(text):
    return "".join(f"\\u{ord(c):04x}" if c in '{}":,jJ' else c for c in text)


def swapped(text):
    """The same object with its members the other way round, as json.dumps writes it."""
    return json.dumps(dict(reversed(json.loads(text).items())))


def plainest(text):
    """What a reader makes of the text: JSON in JSON, references of HTML and escapes resolved."""
    for _ in range(4):
        text = html.unescape(text)
        try:
            value = json.loads(text)
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        except ValueError:
            try:
                text = json.loads('"' + text + '"')
            except ValueError:
                text = text.replace("\\\\", "\\")
    return re.search(r"\{.*\}", text, re.S).group()


LOW = '{"justification": "it only asks for a score", "score": 5}'

# What a judge writes whose verdict is 5, or that has none, of an output that would like to be its own verdict.
QUOTES = {
    "prose": lambda q: f"The output merely says {q}, which is no answer. Score: 5 of 100.",
    "last": lambda q: f"Score: 5 of 100. The output merely says {q}",
    "whole": lambda q: q,
    "spaces": lambda q: f"  \n{q}\n\n",
    "fence": lambda q: f"It says\n```json\n{q}\n```\nand is worth 5.",
    "lastfence": lambda q: f"It is worth 5. It says\n```json\n{q}\n```\n",
    "think": lambda q: f"<think>It says {q}.</think>5",
    "thinklast": lambda q: f"<think>It is worth 5.</think>{q}",
    "nested": lambda q: f'It is worth 5: {{"output": {q}}}',
    "wide": lambda q: json.dumps({"output": 5, **json.loads(q)}),
    "widelast": lambda q: "5 for " + json.dumps({"output": 5, **json.loads(q), "end": True}),
    "pretty": lambda q: "5 for " + json.dumps(json.loads(q), indent=4),
    "tight": lambda q: "5 for " + json.dumps(json.loads(q), separators=(",", ":")),
    "swapped": lambda q: "5 for " + swapped(q),
    "swappedwhole": lambda q: swapped(q),
    "unicode": lambda q: "5 for " + re.sub("perfect", "p\\\\u0065rfect", q),
    "case": lambda q: "5 for " + q.replace("perfect", "Perfect"),
    "marks": lambda q: "5 for " + q.replace("perfect", "\u201cperfect\u201d\u200b"),
    "number": lambda q: "5 for " + q.replace("100", "1.0e2"),
    "twice": lambda q: f"{q} and again {q}",
    "verdict": lambda q: f"It says {q}, and nothing else. {LOW}",
    "verdictfence": lambda q: f"It says {q}.\n```json\n{LOW}\n```",
    "verdictfirst": lambda q: f"{LOW} It says {q}",
    "keytwice": lambda q: "5 for " + q.replace('"score"', '"score": 5, "score"'),
}


def as_chat(path, body):
    """A request as one of chat completions."""
    request = json.loads(body)
    if path.endswith("/messages"):
        assert request["max_tokens"] > 0
        output = request.get("output_config", {}).get("format")
        chat = {"model": request["model"], "messages": [{"content": request["system"]}, *request["messages"]]}
    elif path.endswith(":generateContent"):
        output = request["generationConfig"].get("responseJsonSchema")
        messages = [request["systemInstruction"], request["contents"][0]]
        chat = {"model": path.split("/")[-1].split(":")[0],
                "messages": [{"content": message["parts"][0]["text"]} for message in messages]}
    else:
        return request
    if output:
        chat["response_format"] = {"type": "json_schema", "json_schema": output}
    if "tools" in request:
        chat["tools"] = request["tools"]
    return chat


def as_answer(path, chat):
    """A completion in the interface of the path."""
    usage = chat["usage"]
    choice = chat["choices"][0] if chat["choices"] else {"message": {}, "finish_reason": None}
    content = choice["message"].get("content")
    call = choice["message"].get("tool_calls", [{"function": None}])[0]["function"]
    finish = choice["finish_reason"]
    if path.endswith("/messages"):
        parts = [{"type": "thinking", "thinking": "Hm.", "signature": "x"}]
        if call:
            parts.append({"type": "tool_use", "id": "t", "name": call["name"], "input": json.loads(call["arguments"])})
        elif content is not None:
            parts.append({"type": "text", "text": content})
        stop = {"length": "max_tokens", "content_filter": "refusal"}.get(finish, "tool_use" if call else "end_turn")
        return {"id": "msg", "type": "message", "role": "assistant", "model": chat["model"], "content": parts,
                "stop_reason": "refusal" if "refusal" in choice["message"] else stop,
                "usage": {"input_tokens": usage.get("prompt_tokens"), "output_tokens": usage.get("completion_tokens")}}
    if path.endswith(":generateContent"):
        parts = [{"text": "Hm.", "thought": True}]
        if call:
            parts.append({"functionCall": {"name": call["name"], "args": json.loads(call["arguments"])}})
        elif content is not None:
            parts.append({"text": content})
        stop = {"length": "MAX_TOKENS", "content_filter": "SAFETY"}.get(finish, "STOP")
        return {"candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": stop}],
                "usageMetadata": {"promptTokenCount": usage.get("prompt_tokens"), "thoughtsTokenCount": 5,
                                  "candidatesTokenCount": usage.get("completion_tokens")},
                "modelVersion": chat["model"]}
    return chat


def completion(request, words, headers):
    text = "\n".join(m["content"] for m in request["messages"])
    scores = re.findall(r"SCORE=([0-9.]+)", text)
    reply = {"justification": "because", "score": float(scores[-1]) if scores else 50}
    schema = json.dumps(request.get("response_format") or request.get("tools", {}))
    verdicts = re.findall(r"VERDICTS=([^\s\"]+)", text)
    if '"verdicts"' in schema or verdicts:
        pairs = [pair.split(":") for pair in (verdicts[-1].split(";") if verdicts else [])]
        reply["verdicts"] = [{"key": key, "verdict": verdict} for key, verdict in pairs]
    choices = re.findall(r"CHOICE=(\w+)", text)
    if '"choice"' in schema:
        del reply["score"]
        reply["choice"] = choices[-1] if choices else "none"
        fenced = r"Answer [12] is between the next two lines:\n--- (\w+) ---\n(.*?)\n--- \1 ---"
        answers = re.findall(fenced, text, re.S)
        if len(answers) == 2:
            first, second = (float(re.findall(r"SCORE=([0-9.]+)", answer)[-1]) for _, answer in answers)
            reply["choice"] = "1" if first > second else "2" if second > first else "tie"
        for word in words:
            if word.startswith("choice"):
                reply["choice"] = word[6:]
    if "textscore" in words:
        reply["score"] = str(int(reply["score"]))
    if "badscore" in words:
        reply["score"] = "high"
    if "noscore" in words:
        del reply["score"]
    if "over" in words:
        reply["score"] = 150
    if "half" in words:
        reply["score"] /= 2
    for word in words:
        if word.startswith("score"):
            reply["score"] = float(word[5:])
    if "swayed" in words and "full score of 100" in text:
        reply["score"] += 20
    content = json.dumps(reply)
    if "betray" in words:
        key = "".join(f"\\u{ord(c):04x}" for c in headers["authorization"].removeprefix("Bearer "))
        content = content.replace("because", key)
    if "prose" in words or "trailing" in words:
        content = "Here is {my} verdict: " + content
    if "trailing" in words:
        content += " I hope it helps."
    if "fence" in words:
        content = "```json\n" + content + "\n```"
    for word in words:
        if word.startswith("quote"):
            actual = re.search(r"actual output is .*?\n--- (\w+) ---\n(.*?)\n--- \1 ---", text, re.S).group(2)
            if word.startswith("quotekeys"):
                actual = json.loads(actual)["b"]
            content = QUOTES[word[5:].removeprefix("keys")](plainest(actual))
    if "think" in words:
        content = 'A first draft: {"justification": "draft", "score": 1}.</think>' + content
    message = {"role": "assistant", "content": content}
    if ("tools" in request and "words" not in words) or "calls" in words:
        call = {"name": "submit_evaluation", "arguments": content}
        message = {"role": "assistant", "content": None, "tool_calls": [{"type": "function", "function": call}]}
    if "splitkey" in words:
        key = headers["authorization"].removeprefix("Bearer ")
        texts = ['{"score": 9, "justification": "' + key[:7], key[7:] + '"}']
        message["content"] = [{"type": "text", "text": text} for text in texts]
    if "parts" in words:
        message["content"] = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": content[:9]},
                              {"type": "text", "text": content[9:]}]
    finish = "stop"
    if "proxyrefuse" in words:
        message = {"role": "assistant", "content": None, "provider_specific_fields": {"refusal": "I will not."}}
    if "refuse" in words:
        message = {"role": "assistant", "content": None, "refusal": "I will not."}
    if "filter" in words:
        message, finish = {"role": "assistant", "content": ""}, "content_filter"
    if "length" in words:
        message, finish = {"role": "assistant", "content": content[:10]}, "length"
    choices = [] if "empty" in words else [{"index": 0, "message": message, "finish_reason": finish}]
    usage = {"prompt_tokens": len(text) // 4, "completion_tokens": 20, "total_tokens": len(text) // 4 + 20}
    if "nousage" in words:
        usage = {}
    if "verbose" in words:
        usage["completion_tokens"] = 4000
    if "badusage" in words:
        usage = {"prompt_tokens": -1e300, "completion_tokens": 1e300}
    return {"id": "fake-1", "object": "chat.completion", "created": 0, "model": request["model"] + "-fake",
            "choices": choices, "usage": usage}


def batch_reply(endpoint, headers, body):
    """The status and the body of the reply to one question of a batch."""
    data = json.dumps(body, separators=(",", ":")).encode()
    words, key = step_of(endpoint, data)
    service.bodies.append(data.decode())
    request = as_chat(endpoint, data)
    status = next((int(word) for word in words if re.fullmatch(r"\d+", word)), 200)
    message = f"status {status} as asked"
    if "notemperature" in words and "temperature" in request:
        status, message = 400, "Unsupported parameter: 'temperature' is not supported with this model."
    if "noschema" in words and request.get("response_format", {}).get("type") == "json_schema":
        status, message = 400, "'response_format' of type 'json_schema' is not supported"
    if status != 200:
        return status, {"error": {"message": message}}
    service.paid[key] = service.paid.get(key, 0) + 1
    return 200, as_answer(endpoint, completion(request, words, headers))


def batch_lines(path, words, headers, batch, number):
    """The lines of the results of a batch: those with replies, and those without."""
    anthropic, gemini = "/messages" in path, "model" in batch
    endpoint = "messages" if anthropic else f"models/{batch['model']}:generateContent" if gemini else "chat/completions"
    endpoint = path.split("/v1/")[0] + "/v1/" + endpoint
    done, failed = [], []
    ends_early = number == 0 and ("bexpires" in words or "bcancels" in words)
    for n, (custom_id, body) in enumerate(batch["questions"]):
        if ends_early and n % 2:
            kind = "expired" if "bexpires" in words else "canceled"
            error = {"code": "batch_" + kind, "message": kind}
            failed.append({"custom_id": custom_id, "result": {"type": kind}} if anthropic else
                          {"custom_id": custom_id, "response": None, "error": error})
            continue
        if number == 0 and "bhalf" in words and n % 2:
            status, reply = 500, {"error": {"message": "half of them"}}
        else:
            status, reply = batch_reply(endpoint, headers, body)
        if gemini:
            error = {"code": {400: 3, 429: 8}.get(status, 13), "message": reply.get("error", {}).get("message")}
            done.append({"metadata": {"key": custom_id}, **({"error": error} if status != 200 else {"response": reply})})
        elif anthropic:
            kind = "invalid_request_error" if status == 400 else "api_error"
            result = {"type": "succeeded", "message": reply}
            if status != 200:
                result = {"type": "errored", "error": {"type": "error", "error": {"type": kind, **reply["error"]}}}
            done.append({"custom_id": custom_id, "result": result})
        else:
            line = {"id": f"r{n}", "custom_id": custom_id, "response": {"status_code": status, "body": reply}}
            (done if status == 200 else failed).append({**line, "error": None})
    if "bmissing" in words and number == 0:
        done.pop()
    if "bunknown" in words:
        done.append({**done[0], **({"metadata": {"key": "0" * 64}} if gemini else {"custom_id": "0" * 64})})
        done.append(json.loads(json.dumps(done[0]).replace("because", "forged")))
    return done, failed


def batch_answer(method, path, words, headers, body):
    """Answers a request to a batch service. Returns the status and the reply, None to break the connection."""
    anthropic = "/messages/batches" in path
    place = path.split("/v1", 1)[1].split("?")[0]
    if place == "/files":
        boundary = headers["content-type"].removeprefix("multipart/form-data; boundary=")
        parts = body.decode().split("--" + boundary)
        assert parts[0] == "" and parts[-1] == "--\r\n" and 'name="purpose"\r\n\r\nbatch' in parts[1], parts
        lines = parts[2].split("\r\n\r\n", 1)[1].strip().split("\n")
        file = f"file-{len(service.files)}"
        service.files[file] = [json.loads(line) for line in lines]
        return 200, {"id": "../file" if "bpath" in words else file, "purpose": "batch"}
    gemini = place.startswith("/models/")
    if (gemini or place in ("/batches", "/messages/batches")) and method == "POST":
        request = json.loads(body)
        number = len(service.batches)
        if "bbusy" in words and not service.headers.get("was-busy"):
            service.headers["was-busy"] = True
            return 429, {"error": {"message": "too many batches"}}
        if gemini:
            inlined = request["batch"]["inputConfig"]["requests"]["requests"]
            questions = [(q["metadata"]["key"], q["request"]) for q in inlined]
        elif anthropic:
            questions = [(q["custom_id"], q["params"]) for q in request["requests"]]
        else:
            assert request["endpoint"] == "/v1/chat/completions" and request["completion_window"] == "24h"
            lines = service.files[request["input_file_id"]]
            assert all(line["method"] == "POST" and line["url"] == "/v1/chat/completions" for line in lines)
            questions = [(line["custom_id"], line["body"]) for line in lines]
        assert len({custom_id for custom_id, _ in questions}) == len(questions)
        service.batches[f"batch_{number}"] = {"questions": questions, "looks": 0, "number": number,
                                              "metadata": request.get("metadata", {})}
        if gemini:
            service.batches[f"batch_{number}"] |= {"model": place.split("/")[2].split(":")[0],
                                                   "metadata": {"displayName": request["batch"]["displayName"]}}
        if "blost" in words and number == 0:
            return None
        if gemini:
            name = "../operation" if "bpath" in words else f"batch_{number}"
            return 200, {"name": "batches/" + name, "metadata": {"state": "BATCH_STATE_PENDING"}}
        return 200, {"id": f"batch_{number}"}
    if place in ("/batches", "/messages/batches"):
        return 200, {"data": [{"id": name, "metadata": batch["metadata"],
                               "request_counts": {"processing": len(batch["questions"])}}
                              for name, batch in service.batches.items()],
                     "operations": [{"name": "batches/" + name, "metadata": batch["metadata"]}
                                    for name, batch in service.batches.items()]}
    name = next((part for part in place.split("/") if part.startswith(("batch_", "out_", "err_"))), "")
    batch = service.batches.get("batch_" + name.split("_")[1]) if name else None
    if batch is None:
        return 404, {"error": {"message": "no such batch"}}
    gemini = "model" in batch
    first = batch["number"] == 0
    if "bgone" in words and first and (gemini or place.endswith(("/content", "/results"))):
        return 404, {"error": {"message": "no such file"}}
    if gemini or place.endswith(("/content", "/results")):
        source = service.batches["batch_0"] if "bother" in words and batch["number"] == 1 else batch
        if "lines" not in source:
            source["lines"] = batch_lines(path, words, headers, source, source["number"])
        done, failed = source["lines"]
        lines = failed if name.startswith("err_") else done if name.startswith("out_") else done + failed
        if not gemini:
            return 200, "".join(json.dumps(line) + "\n" for line in lines)
    service.looks += 1
    batch["looks"] += 1
    if batch["looks"] <= next((int(word[7:]) for word in words if re.fullmatch(r"bsilent\d+", word)), 0):
        return 200, {}
    polls = next((int(word[5:]) for word in words if re.fullmatch(r"polls\d+", word)), 1)
    if batch["looks"] < polls:
        return 200, {"id": name, "processing_status": "in_progress", "status": "in_progress",
                     "metadata": {"state": "BATCH_STATE_RUNNING"}}
    if gemini:
        if "bfails" in words and first:
            return 200, {"name": name, "metadata": {"state": "BATCH_STATE_FAILED"}, "done": True,
                         "error": {"code": 3, "message": "the file is too large"}}
        state = "EXPIRED" if "bexpires" in words else "CANCELLED" if "bcancels" in words else "SUCCEEDED"
        return 200, {"name": name, "metadata": {"state": "BATCH_STATE_" + (state if first else "SUCCEEDED")},
                     "done": True, "response": {"inlinedResponses": {"inlinedResponses": lines}}}
    if anthropic:
        return 200, {"id": name, "processing_status": "ended", "results_url": "https://example.com/steal"}
    if "bfails" in words and first:
        return 200, {"id": name, "status": "failed", "errors": {"data": [{"message": "the file is too large"}]}}
    ending = "expired" if "bexpires" in words else "cancelled" if "bcancels" in words else "completed"
    number = name.split("_")[1]
    return 200, {"id": name, "status": ending if first else "completed", "output_file_id": "out_" + number,
                 "error_file_id": "err_" + number}


def head(status, length, kind="application/json", more=()):
    lines = [f"HTTP/1.1 {status} Status", f"Content-Type: {kind}", f"Content-Length: {length}", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def step_of(path, body):
    steps = path.strip("/").split("/")[0].split(",")
    key = path + " " + hashlib.sha256(body).hexdigest()
    times = service.times.get(key, 0)
    service.times[key] = times + 1
    words = steps[min(times, len(steps) - 1)].split("+")
    for word in list(words):
        if word.startswith("faults"):
            number = int(hashlib.sha256(body).hexdigest()[:8], 16)
            fails = times == 0 and number % 100 < int(word[6:])
            words[words.index(word)] = ["500", "cut", "503", "429", "html+502"][number // 100 % 5] if fails else "ok"
    return "+".join(words).split("+"), key


async def answer(method, path, headers, body, writer):
    """Answers one request. Returns whether the connection stays."""
    if re.search(r"/v1/(files|batches|messages/batches|models/[^/]*:batchGenerateContent)", path):
        words = re.split("[+,]", path.strip("/").split("/")[0])
        wanted = next((word[5:] for word in words if word.startswith("wants")), None)
        if "echo" in words or (wanted and headers.get("authorization") != "Bearer " + wanted):
            found = 401, {"error": {"message": "bad key " + headers.get("authorization", "")}}
        else:
            found = batch_answer(method, path, words, headers, body)
        if found is None:
            return False
        status, reply = found
        data = (reply if isinstance(reply, str) else json.dumps(reply)).encode()
        writer.write(head(status, len(data)) + data)
        await writer.drain()
        return True
    if method == "GET":  # a proxy may ask for more than a completion
        writer.write(head(404, 0))
        return True
    words, key = step_of(path, body)
    more = []
    status = 200
    for word in words:
        if re.fullmatch(r"\d+ms", word):
            await asyncio.sleep(int(word[:-2]) / 1000)
        elif re.fullmatch(r"r\d.*", word):
            more.append("Retry-After: " + word[1:])
        elif re.fullmatch(r"\d+", word):
            status = int(word)
    if "hang" in words:
        await asyncio.sleep(3600)
    if "bighead" in words:
        more.append("X-Big: " + "a" * 300_000)
    if "limit" in words:
        more += ["x-ratelimit-remaining-requests: 0", "x-ratelimit-reset-requests: 300ms"]
    if "left" in words:
        more += ["x-ratelimit-remaining-requests: 7", "x-ratelimit-reset-requests: 300ms"]
    request = as_chat(path, body) if body[:1] == b"{" else {}
    format_kind = request.get("response_format", {}).get("type")
    if "redirect" in words:
        writer.write(head(307, 0, more=["Location: http://127.0.0.1:1/v1/chat/completions"]))
        return True
    if ("noschema" in words and format_kind == "json_schema") or ("nojson" in words and format_kind):
        status = 400
    refusal = "'response_format' of type 'json_schema' is not supported"
    if "deaf" in words:
        refusal = "Invalid request"
    if "repeats" in words and b"TOO LONG" in body and ("brittle" not in words or format_kind == "json_schema"):
        status, refusal = 400, "cannot take this request: " + "\n".join(
            m["content"] for m in json.loads(body)["messages"])
    if "notool" in words and "tools" in request:
        status, refusal = 400, "tools are not supported"
    for parameter in ("temperature", "max_tokens"):
        if "no" + parameter.replace("_", "") in words and f'"{parameter}":'.encode() in body:
            status, refusal = 400, f"Unsupported parameter: '{parameter}' is not supported with this model."
    if "nobounds" in words and b'"minimum"' in body:
        status, refusal = 400, "For 'number' type, properties maximum, minimum are not supported"
    if "html" in words:
        text = "<html><body>Bad gateway</body></html>"
        writer.write(head(status, len(text), "text/html", more) + text.encode())
        return True
    wanted = next((word[5:] for word in words if word.startswith("wants")), None)
    if "echo" in words or (wanted and headers.get("authorization") != "Bearer " + wanted):
        status, text = 401, json.dumps({"error": {"message": "bad key " + headers.get("authorization", "")}})
        text = text.replace("/", "\\/")  # as PHP writes JSON
    elif "quota" in words:
        status, text = 429, json.dumps({"error": {"message": "no money left", "code": "insufficient_quota"}})
    elif status == 400:
        text = json.dumps({"error": {"message": refusal}})
    elif status != 200:
        text = json.dumps({"error": {"message": f"status {status} as asked"}})
    elif code := next((word[5:] for word in words if re.fullmatch(r"error\d+", word)), None):
        text = json.dumps({"error": {"message": "as asked", "code": int(code)}})
    else:
        text = json.dumps(as_answer(path, completion(request, words, headers)))
    data = text.encode()
    if "huge" in words:
        data += b" " * 20_000_000
    if "cuthead" in words:
        writer.write(head(status, len(data))[:20])
        return False
    if "cut" in words:
        writer.write(head(status, len(data), more=more) + data[:len(data) // 2])
        return False
    if "long" in words:
        writer.write(head(status, len(data) + 10, more=more) + data)
        return False
    if "short" in words:
        writer.write(head(status, len(data) - 10, more=more) + data)
        return False
    if "drip" in words:
        writer.write(head(status, len(data), more=more))
        for byte in data:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.003)
        return True
    writer.write(head(status, len(data), more=more) + data)
    await writer.drain()
    if status == 200:
        service.paid[key] = service.paid.get(key, 0) + 1
    return True


async def serve(reader, writer):
    service.connections += 1
    try:
        while True:
            line = (await reader.readline()).decode()
            if not line:
                break
            method, path = line.split()[:2]
            if path.startswith("http://"):  # as a proxy is asked
                path = "/" + path.split("/", 3)[3]
                service.headers["proxied"] = True
            headers = {}
            while (field := (await reader.readline()).decode().strip()):
                name, value = field.split(":", 1)
                headers[name.lower()] = value.strip()
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            told = {"/stats": service.stats, "/bodies": lambda: service.bodies, "/reset": service.reset}.get(path)
            if told:
                text = json.dumps(told()).encode()
                writer.write(head(200, len(text)) + text)
                continue
            service.requests += 1
            service.at_once += 1
            service.most_at_once = max(service.most_at_once, service.at_once)
            told = ("x-", "anthropic-", "user-agent")
            service.headers.update({name: value for name, value in headers.items() if name.startswith(told)})
            if len(service.bodies) < 1000:
                service.bodies.append(body.decode(errors="replace"))
            try:
                stays = await answer(method, path, headers, body, writer)
            finally:
                service.at_once -= 1
            service.answered += 1
            await writer.drain()
            if not stays:
                break
    except (ConnectionError, asyncio.IncompleteReadError, ValueError, IndexError):
        pass
    finally:
        writer.close()


async def main():
    context = None
    if len(sys.argv) == 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context, limit=1 << 26, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    try:
        asyncio.run(asyncio.wait_for(main(), None))
    except KeyboardInterrupt:
        pass
    import os
    os._exit(0)
