import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recorded, replayed } from "../../../src/lm/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chatPath, refuse, vllmServer } from "../../support/vllm-server.ts";
import {
  contractAnswer,
  contractRequests,
  languageModelContract,
} from "../language-model.contract.ts";
import { clientOf, requestOf } from "../requests.ts";

languageModelContract(
  "replayed",
  async () => {
    await using server = await vllmServer();
    server.always(chatPath, contractAnswer);
    const folder = await temporaryFolder();
    const path = join(folder.path, "calls.jsonl");
    const recording = recorded(clientOf(server), path);
    await Promise.all(contractRequests.map((request) => recording.doGenerate(request)));
    return {
      lm: await replayed(path),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
  { abortsInFlight: "nothing is in flight: the reply is there at once" },
);

it("sends no further call once a recording cannot be written, and names the file", async () => {
  await using server = await vllmServer();
  server.always(chatPath, contractAnswer);
  await using folder = await temporaryFolder();
  const file = join(folder.path, "file");
  await writeFile(file, "");
  const recording = recorded(clientOf(server), join(file, "calls.jsonl"));
  for (const attempt of ["first", "second"]) {
    const call = recording.doGenerate(requestOf(attempt));
    await expect(call).rejects.toMatchObject({ code: "write-failed" });
    await expect(call).rejects.toThrow(join(file, "calls.jsonl"));
  }
  expect(server.requests.filter(({ path }) => path === chatPath)).toHaveLength(1);
});

languageModelContract("recorded", async () => {
  const server = await vllmServer();
  const folder = await temporaryFolder();
  server.always(chatPath, contractAnswer);
  return {
    lm: recorded(clientOf(server), join(folder.path, "calls.jsonl")),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
});

/** A file with the calls `a` and `b`. */
async function recordTwo(path: string): Promise<void> {
  await using server = await vllmServer();
  server.always(chatPath, contractAnswer);
  const lm = recorded(clientOf(server), path);
  await lm.doGenerate(requestOf("a"));
  await lm.doGenerate(requestOf("b"), { repetition: 2 });
}

describe("a recording", () => {
  it("gives the same replies without the server", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "deep", "calls.jsonl");
    await recordTwo(path);
    const lm = await replayed(path);
    expect(lm.identity).toEqual({ provider: "vllm", model: "test-model" });
    expect(await lm.doGenerate(requestOf("a"))).toMatchObject({
      content: "you said a",
      source: "recording",
    });
    expect((await lm.doGenerate(requestOf("b"), { repetition: 2 })).content).toBe("you said b");
  });

  it("does not hold errors", async () => {
    await using folder = await temporaryFolder();
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"));
    const path = join(folder.path, "calls.jsonl");
    const lm = recorded(clientOf(server), path);
    await expect(lm.doGenerate(requestOf("a"))).rejects.toThrow("status 500");
    await lm.doGenerate(requestOf("a"));
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(1);
  });

  it("is continued after a last line that was torn", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "calls.jsonl");
    await recordTwo(path);
    await appendFile(path, '{"key":"0123');
    expect((await (await replayed(path)).doGenerate(requestOf("a"))).content).toBe("you said a");
    await recordTwo(path);
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(4);
    await expect(replayed(path)).resolves.toBeDefined();
  });

  it("names the line that is damaged", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "calls.jsonl");
    await recordTwo(path);
    const [first = ""] = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, `${first}\n{"key": 3}\n${first}\n`);
    await expect(replayed(path)).rejects.toMatchObject({
      code: "file-malformed",
      report: { where: `${path}:2` },
    });
  });

  it("names a reply that no LM gave", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "calls.jsonl");
    await recordTwo(path);
    const content = await readFile(path, "utf8");
    await writeFile(path, content.replace(/"promptTokens":[^,]+/, '"promptTokens":-1'));
    const replaying = replayed(path);
    await expect(replaying).rejects.toMatchObject({ report: { where: `${path}:1` } });
    await expect(replaying).rejects.toThrow("where line.reply.usage.promptTokens: expected");
  });

  it("that does not exist is a clear error", async () => {
    await expect(replayed("/nowhere/calls.jsonl")).rejects.toMatchObject({ code: "file-missing" });
  });
});

describe("a call that was not recorded", () => {
  async function missOf(text: string, more: object = {}, repetition = 0): Promise<string> {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "calls.jsonl");
    await recordTwo(path);
    const lm = await replayed(path);
    const call = lm.doGenerate(requestOf(text, more), { repetition, callPath: "hop[1]/answer" });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "recording-missing" });
    return (error as Error).message.replace(folder.path, "FOLDER");
  }

  it("names the parameters that differ when the messages are the same", async () => {
    const sampling = { ...requestOf("a").sampling, temperature: 0.5 };
    expect(await missOf("a", { sampling, seed: 9 })).toMatchInlineSnapshot(
      `"The recording holds no reply for this request (at FOLDER/calls.jsonl, hop[1]/answer). Got: a call with the same messages that differs in \`seed\`, \`temperature\`. Record again with \`recorded\`, or undo what changed the request."`,
    );
    expect(await missOf("a", {}, 1)).toContain("differs in `repetition`");
  });

  it("shows where the nearest messages differ", async () => {
    expect(await missOf("a, and more")).toMatchInlineSnapshot(
      `"The recording holds no reply for this request (at FOLDER/calls.jsonl, hop[1]/answer). Got: nearest is a call whose user message (number 1) says \`a\` where this one says \`a, and more\`. Record again with \`recorded\`, or undo what changed the request."`,
    );
  });
});
