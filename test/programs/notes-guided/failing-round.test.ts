import { beforeAll, describe, expect, it } from "vitest";
import type { PassageReranker } from "espalier";
import type { NotesGuidedParts } from "../../../programs/notes-guided/index.ts";
import { notesGuidedRetrieval } from "../../../programs/notes-guided/index.ts";
import {
  fixedRetriever,
  input,
  parameter,
  pathsOf,
  question,
  retrievalAt,
  townParts,
} from "./parts.ts";
import { fieldsOf, queriesReply, scriptedSteps } from "./scripted-steps.ts";

let towns: Required<Omit<NotesGuidedParts, "sampling" | "notesRead">>;
beforeAll(async () => {
  towns = await townParts();
});

describe("a round that fails", () => {
  it("is noted, and the next goes on without its notes", async () => {
    await using server = await scriptedSteps({
      "generate-queries": (round) =>
        round === 2
          ? "no JSON at all"
          : queriesReply(["iron footbridge", "Ostrel", "bridge"], {
              rerank: `rerank ${round}`,
              final: `final ${round}`,
            }),
    });
    const { state, trace } = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    expect(state).toBe("completed");
    expect(trace.notes).toEqual({
      "hop[2]/failed": expect.stringContaining("not a JSON object") as string,
    });
    expect(pathsOf(trace).filter((path) => path.startsWith("hop[2]"))).toEqual([
      "hop[2]/generateQueries",
    ]);
    const [, , , third = ""] = server.asked("generate-queries").map(fieldsOf);
    expect(third).toContain("=== Hop 1 ===");
    expect(third).not.toContain("=== Hop 2 ===");
    expect(retrievalAt(trace, "lexical").query).toBe("final 3");
  });

  it("keeps the passages it had found when only its notes failed", async () => {
    await using server = await scriptedSteps({
      "build-notes": () => ({ status: 500, body: "out of memory" }),
    });
    const twice = notesGuidedRetrieval(towns).with([parameter("hops", 2)]);
    const { state, trace } = await twice.attempt(input, { lm: server.lm });
    expect(state).toBe("completed");
    expect(Object.keys(trace.notes)).toEqual(["hop[1]/failed"]);
    expect(trace.notes["hop[1]/failed"]).toMatch(/500/);
    expect(fieldsOf(server.asked("generate-queries")[1] ?? never())).toContain("this is the first");
    expect(retrievalAt(trace, "hop[1]/lexical").results).not.toEqual([]);
    expect(retrievalAt(trace, "lexical").query).toBe("iron footbridge, after 2");
  });

  it("leaves the final rerank query of the last round that succeeded", async () => {
    await using server = await scriptedSteps({
      "generate-queries": (round) =>
        round === 3
          ? { status: 503, body: "busy" }
          : queriesReply(["iron footbridge", "Ostrel", "bridge"], {
              rerank: "bridge",
              final: `final ${round}`,
            }),
    });
    const { trace } = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    expect(Object.keys(trace.notes)).toEqual(["hop[3]/failed"]);
    expect(retrievalAt(trace, "lexical").query).toBe("final 2");
  });

  it("leaves nothing when none can be read: nothing is reranked, by the question itself", async () => {
    await using server = await scriptedSteps({ "generate-queries": () => "no JSON at all" });
    const attempt = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    expect(attempt).toMatchObject({ state: "completed", output: { passages: [] } });
    expect(Object.keys(attempt.trace.notes)).toEqual([
      "hop[1]/failed",
      "hop[2]/failed",
      "hop[3]/failed",
    ]);
    expect(retrievalAt(attempt.trace, "lexical")).toMatchObject({ query: question, results: [] });
  });

  it("fails the run when the server fails in all: an outage is no search that found nothing", async () => {
    await using server = await scriptedSteps({
      "generate-queries": () => ({ status: 500, body: "out of memory" }),
    });
    const attempt = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    expect(attempt).toMatchObject({ state: "failed", failure: { code: "lm-server-error" } });
    expect(Object.keys(attempt.trace.notes)).toHaveLength(3);
  });

  it("ends the run at once by what no other round can mend, as refused credentials", async () => {
    await using server = await scriptedSteps({
      "generate-queries": () => ({ status: 401, body: "who are you?" }),
    });
    const attempt = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    expect(attempt).toMatchObject({ state: "failed", failure: { code: "lm-unauthorized" } });
    expect(server.received).toHaveLength(1);
  });

  it("by its reranker goes on in the order of the fusion, scores relative to the best", async () => {
    const reranker: PassageReranker = {
      name: "broken",
      version: "1",
      doRerank: async () => {
        throw new Error("no reranker today");
      },
    };
    const sparse = fixedRetriever(
      "bm25",
      ["a", "b", "c"].map((id) => ({ id, text: id })),
    );
    await using server = await scriptedSteps();
    const twice = notesGuidedRetrieval({ sparse, reranker }).with([
      parameter("hops", 2),
      parameter("k", 2),
    ]);
    const attempt = await twice.attempt(input, { lm: server.lm });
    if (attempt.state === "failed") throw attempt.error;
    expect(attempt.output.passages).toMatchObject([
      { id: "a", score: 1 },
      { id: "b", score: expect.closeTo(61 / 62, 12) as number },
    ]);
    expect(server.asked("build-notes").map(fieldsOf)[0]).toContain('<passage number="1">\na\n');
    const said = expect.stringContaining("no reranker today") as string;
    expect(attempt.trace.notes).toEqual({
      "hop[1]/rerankingFailed": said,
      "hop[2]/rerankingFailed": said,
      rerankingFailed: said,
    });
  });

  it("by an abort ends the program", async () => {
    const controller = new AbortController();
    await using server = await scriptedSteps({
      "build-notes": () => {
        controller.abort();
        return { isUnanswered: true };
      },
    });
    const { signal } = controller;
    const attempt = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm, signal });
    expect(attempt).toMatchObject({ state: "failed", failure: { kind: "aborted" } });
    expect(attempt.trace.notes).toEqual({});
    expect(server.received).toHaveLength(2);
  });
});

function never(): never {
  throw new Error("A request is missing.");
}
