import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect, examineServer, keepExamination, keptExamination } from "../../../src/lm/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chat, chatPath, refuse, vllmServer } from "../../support/vllm-server.ts";
import { requestOf } from "../requests.ts";

describe("a kept examination", () => {
  it("sets the dialect and the warm-up of connections, which ask nothing for it", async () => {
    await using folder = await temporaryFolder();
    await using server = await vllmServer();
    server.always(chatPath, (request, response) =>
      ("top_k" in request.body ? refuse(400, "Unrecognized: top_k") : chat({ content: "yes" }))(
        request,
        response,
      ),
    );
    const { baseUrl } = server;
    const address = { baseUrl, model: "test-model" };
    const examinedAt = "2026-11-21T12:00:00.000Z";
    const examination = await examineServer({ ...address, examinedAt });
    await keepExamination(examination, folder.path);
    expect(keptExamination({ ...address, baseUrl: `${baseUrl}/` }, folder.path)).toEqual(
      examination,
    );

    const before = server.requests.length;
    await using blind = connect({ ...address, examinationsFolder: null });
    await expect(blind.doGenerate(requestOf("a"))).rejects.toMatchObject({
      code: "lm-request-refused",
    });
    await using lm = connect({ ...address, examinationsFolder: folder.path });
    expect((await lm.doGenerate(requestOf("a"))).content).toBe("yes");
    expect(server.requests.length - before).toBe(2);
    // What is given counts for more.
    await using told = connect({ ...address, examinationsFolder: folder.path, dialect: "vllm" });
    await expect(told.doGenerate(requestOf("a"))).rejects.toThrow("top_k");
  });

  it("of any of several servers counts, and all are spoken to as each of them takes", async () => {
    await using folder = await temporaryFolder();
    await using plain = await vllmServer();
    await using strict = await vllmServer();
    strict.always(chatPath, (request, response) =>
      ("top_k" in request.body ? refuse(400, "Unrecognized: top_k") : chat({ content: "yes" }))(
        request,
        response,
      ),
    );
    await using unexamined = await vllmServer();
    const model = "test-model";
    for (const { baseUrl } of [plain, strict]) {
      const examination = await examineServer({ baseUrl, model, examinedAt: "" });
      await keepExamination(examination, folder.path);
    }
    const servers = [unexamined, plain, strict];
    const before = servers.map(({ requests }) => requests.length);
    await using lm = connect({
      baseUrls: servers.map(({ baseUrl }) => baseUrl),
      model,
      examinationsFolder: folder.path,
    });
    const beginnings = Array.from({ length: 24 }, (_, index) => requestOf(`${index}`));
    await Promise.all(beginnings.map((request) => lm.doGenerate(request)));
    const asked = servers.flatMap(({ requests }, index) => requests.slice(before[index]));
    expect(asked.filter(({ body }) => body !== undefined && "top_k" in body)).toEqual([]);
    for (const [index, { requests }] of servers.entries()) {
      expect(requests.length).toBeGreaterThan(before[index] ?? 0);
    }
  });

  it("is none where there is no file, or one that cannot be read", async () => {
    await using folder = await temporaryFolder();
    await using server = await vllmServer();
    const address = { baseUrl: server.baseUrl, model: "test-model" };
    expect(keptExamination(address, folder.path)).toBeUndefined();
    await keepExamination(await examineServer({ ...address, examinedAt: "" }), folder.path);
    const [file = ""] = await readdir(folder.path);
    await writeFile(join(folder.path, file), '{"format":"espalier-server/0"}');
    expect(keptExamination(address, folder.path)).toBeUndefined();
  });
});
