#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "engine/base/display.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/io/output_file.h"
#include "engine/io/record_reader.h"
#include "engine/io/replaced_files.h"
#include "engine/json/json_value.h"
#include "engine/json/json_writer.h"
#include "engine/judge/judge_reply.h"
#include "engine/judge/reply_cache.h"
#include "engine/render/cells.h"
#include "engine/run/file_options.h"
#include "leafscore/error.h"
#include "leafscore/files.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {
namespace {

constexpr char kJudgeCacheExamples[] = R"(Examples:
  leafscore judge-cache ls judges.db
  leafscore judge-cache drop judges.db --without-score
  leafscore judge-cache export judges.db -o replies.jsonl.zst)";

struct JudgeCacheArguments {
  std::string cache;
  std::string input;
  std::string output = "-";
  std::string model;
  std::string key;
  bool without_score = false;
};

// The result of visiting all replies.
struct Visited {
  std::uint64_t whole = 0;
  std::uint64_t damaged = 0;
  std::string broken;  // why the file could not be read to its end

  int exit_code() const { return damaged == 0 && broken.empty() ? kExitFine : kExitGateFailed; }
  std::string Text() const {
    std::string text = fmt::format("{} replies are whole", WithThousands(whole));
    if (damaged != 0) text += fmt::format(", {} are damaged", WithThousands(damaged));
    return broken.empty() ? text : text + "; the rest cannot be read: " + broken;
  }
};

// Calls visit(key, reply) for each whole reply, as far as the file can be read.
Visited VisitAll(ReplyCache& cache, const std::function<void(std::string_view, const KeptReply&)>& visit) {
  Visited visited;
  try {
    cache.ForEach([&](std::string_view key, const KeptReply* reply) {
      ++(reply == nullptr ? visited.damaged : visited.whole);
      if (reply != nullptr) visit(key, *reply);
    });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    visited.broken = error.what();
  }
  return visited;
}

int List(const JudgeCacheArguments& arguments) {
  ReplyCache cache(arguments.cache, ReplyCache::Access::kReadOnly);
  JsonValue json{JsonOptions{}};
  const Visited visited = VisitAll(cache, [&](std::string_view key, const KeptReply& reply) {
    const JsonView request = json.Read(reply.request);
    Print(fmt::format("{}  {:<11}  {:>8}  {}  {}\n", HexOf(key).substr(0, 16), reply.asked_with,
                      reply.body.size(),
                      DisplayText(request.Member("body").Member("model").Text().value_or("")),
                      DisplayText(request.Member("url").Text().value_or(""))));
  });
  PrintMessage(visited.Text());
  return visited.exit_code();
}

int Verify(const JudgeCacheArguments& arguments) {
  ReplyCache cache(arguments.cache, ReplyCache::Access::kReadOnly);
  const Visited visited = VisitAll(cache, [](std::string_view, const KeptReply&) {});
  Print(visited.Text() + "\n");
  return visited.exit_code();
}

// Returns the last line of an export. If it is missing, the export was cut off.
std::string LineThatCounts(std::uint64_t replies) { return fmt::format(R"({{"replies": {}}})", replies); }

int Export(const JudgeCacheArguments& arguments) {
  CheckReplacesNone(std::array{arguments.output}, std::array{arguments.cache});
  ReplyCache cache(arguments.cache, ReplyCache::Access::kReadOnly);
  const std::unique_ptr<OutputFile> output = OutputFile::Open(arguments.output, &CatchInterrupts());
  std::string line;
  const Visited visited = VisitAll(cache, [&](std::string_view key, const KeptReply& kept) {
    const KeptReply reply{kept.request, kept.asked_with, ReplaceInvalidUtf8(kept.body)};
    line.clear();
    JsonWriter json(line);
    json.StartObject();
    json.Key<"key">().String(HexOf(key));
    json.Key<"request">().String(reply.request);
    json.Key<"asked_with">().String(reply.asked_with);
    json.Key<"body">().String(reply.body);
    json.Key<"checksum">().String(HexOf(ChecksumOf(key, reply)));
    json.EndObject();
    output->Write(line += '\n');
  });
  output->Write(LineThatCounts(visited.whole) + '\n');
  output->Commit();
  PrintMessage(visited.Text());
  return visited.exit_code();
}

// Reads a line of an export. RETURNS: nothing if the line is not a reply, or was changed.
std::optional<KeptReply> ReadLine(JsonValue& json, std::string_view line) {
  const JsonView object = json.Read(line);
  KeptReply reply;
  for (const auto& [name, text] :
       {std::pair{"request", &reply.request}, {"asked_with", &reply.asked_with}, {"body", &reply.body}}) {
    const JsonView member = object.Member(name);
    if (!member.IsText()) return std::nullopt;
    *text = *member.Text();
  }
  const Sha256 key = KeyOf(reply.request);
  const bool is_whole = object.Member("key").Text() == HexOf(key) &&
                        object.Member("checksum").Text() == HexOf(ChecksumOf(BytesOf(key), reply));
  return is_whole ? std::optional(std::move(reply)) : std::nullopt;
}

int Import(const JudgeCacheArguments& arguments) {
  CheckReplacesNone(std::array{arguments.cache}, std::array{arguments.input});
  FileOptions options;
  options.inputs = {arguments.input};
  options.stop = &CatchInterrupts();
  RecordReader reader(options.inputs, ReaderOptionsOf(options));
  ReplyCache cache(arguments.cache, ReplyCache::Access::kReadWrite);
  JsonValue json{JsonOptions{}};
  std::uint64_t lines = 0;
  std::uint64_t replies = 0;
  std::map<Sha256, std::uint64_t> uncounted;  // since the last line that counts them, and where each stands
  bool is_whole = false;                      // that line was the last one
  std::uint64_t others = 0;
  for (RecordBatch batch; reader.Next(batch);) {
    for (const RecordSpan& record : batch.records) {
      ++lines;
      std::optional<KeptReply> reply;
      if (record.reject == RejectReason::kNone) {
        if (batch.Text(record) == LineThatCounts(uncounted.size())) {
          uncounted.clear();
          is_whole = true;
          continue;
        }
        reply = ReadLine(json, batch.Text(record));
      }
      if (!reply) {
        throw Error(
            ErrorCode::kInput,
            fmt::format(
                "line {} of {} is no reply as `leafscore judge-cache export` writes it, nor the count of "
                "the {} before it; these were taken",
                lines, QuoteForMessage(arguments.input, 256), WithThousands(uncounted.size())));
      }
      const Sha256 key = KeyOf(reply->request);
      const auto [first, is_new] = uncounted.emplace(key, lines);
      if (!is_new) {
        throw Error(
            ErrorCode::kInput,
            fmt::format("line {} of {} replies to what line {} replies to, and an export has one reply "
                        "to each request: it was changed since; the {} replies before it were taken",
                        lines, QuoteForMessage(arguments.input, 256), first->second, WithThousands(replies)));
      }
      others += cache.Keep(key, *reply) != *reply;
      ++replies;
      is_whole = false;
    }
  }
  if (!is_whole) {
    throw Error(
        ErrorCode::kInput,
        fmt::format(
            "{} is cut off: the last line, which counts the replies, is missing; the {} replies in it "
            "were taken",
            QuoteForMessage(arguments.input, 256), WithThousands(replies)));
  }
  PrintMessage(fmt::format(
      "{} replies were read{}", WithThousands(replies),
      others == 0 ? std::string()
                  : fmt::format("; for {} the cache has another one, which stays", WithThousands(others))));
  return kExitFine;
}

// Returns whether a reply has an object with a verdict, whatever it was asked for.
bool HasVerdict(JudgeReplyReader& reader, const KeptReply& reply) {
  const std::optional<Completion> completion = reader.ReadCompletion(reply.body);
  if (!completion || completion->fault.reason != RejectReason::kNone) return false;
  return std::ranges::any_of(std::array{"score", "choice"}, [&](const char* verdict) {
    return reader.FindObject(completion->content, AskedTexts(), /*strict=*/false, verdict)
        .object.Member(verdict)
        .present();
  });
}

int Drop(const JudgeCacheArguments& arguments) {
  if (arguments.model.empty() && arguments.key.empty() && !arguments.without_score) {
    throw Error(ErrorCode::kUsage,
                "say which replies to remove: --without-score, --model NAME or --key PREFIX");
  }
  if (ReplyCache::IsSpare(arguments.cache)) {
    throw Error(ErrorCode::kUsage, "this file holds replies for a cache, and nothing is removed from it");
  }
  ReplyCache cache(arguments.cache, ReplyCache::Access::kReadOnly);  // the file must exist
  JsonValue json{JsonOptions{}};
  JudgeReplyReader reader;
  std::vector<std::string> keys;
  const Visited visited = VisitAll(cache, [&](std::string_view key, const KeptReply& reply) {
    const JsonView model = json.Read(reply.request).Member("body").Member("model");
    if (!arguments.model.empty() && model.Text() != arguments.model) return;
    if (!HexOf(key).starts_with(arguments.key)) return;
    if (arguments.without_score && HasVerdict(reader, reply)) return;
    keys.emplace_back(key);
  });
  if (!keys.empty()) ReplyCache(arguments.cache, ReplyCache::Access::kReadWrite).Drop(keys);
  PrintMessage(
      fmt::format("{} of {} replies were removed", WithThousands(keys.size()), WithThousands(visited.whole)));
  return visited.exit_code();
}

}  // namespace

void AddJudgeCacheCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "judge-cache", "List, check, remove, export or import the replies that --judge-cache keeps");
  command->require_subcommand(1);
  command->footer(kJudgeCacheExamples);
  const auto arguments = std::make_shared<JudgeCacheArguments>();
  const auto add = [&](const char* name, const char* help, int (*work)(const JudgeCacheArguments&)) {
    CLI::App* const part = command->add_subcommand(name, help);
    part->add_option("cache", arguments->cache, "The file of --judge-cache")
        ->type_name("FILE")
        ->required()
        ->check(CheckFileName);
    part->callback([arguments, work, &exit_code] { exit_code = work(*arguments); });
    return part;
  };
  add("ls", "List the replies: key, kind of request, bytes, model, service", List);
  add("verify", "Check each reply; fail (exit 1) if any is damaged", Verify);
  CLI::App* const drop = add(
      "drop", "Remove the replies to which all given filters apply; a run with the cache asks for them again",
      Drop);
  drop->add_flag("--without-score", arguments->without_score,
                 "Replies without a score or choice, such as refusals");
  drop->add_option("--model", arguments->model, "Replies to requests for this model")->type_name("NAME");
  drop->add_option("--key", arguments->key, "Replies whose key begins like this, as `ls` shows it")
      ->type_name("PREFIX");
  add("export", "Write the replies as JSON Lines; fail (exit 1) if any is damaged and left out", Export)
      ->add_option("-o,--output", arguments->output,
                   "Output file, compressed with .gz or .zst after it [default: standard output, -]")
      ->type_name("FILE")
      ->check(CheckFileName);
  add("import", "Add the replies of an export; replies in the cache stay", Import)
      ->add_option("replies", arguments->input,
                   "File that `export` wrote, also compressed; - is standard input")
      ->type_name("FILE")
      ->required()
      ->check(CheckFileName);
}

}  // namespace leafscore::internal
