import { describe, expect, it } from "vitest";
import { EspalierError, errorCodes, failureOf, FormatError, LmError } from "espalier";

describe("errors", () => {
  it("say what happened, what was expected, what came, where, and what to do", () => {
    const error = new EspalierError({
      code: "file-malformed",
      problem: "A row cannot be read",
      where: "questions.jsonl:7",
      expected: "a JSON object",
      got: "`[1, 2]`",
      fix: "Remove the line",
    });
    expect(error.message).toMatchInlineSnapshot(
      `"A row cannot be read (at questions.jsonl:7). Expected: a JSON object. Got: \`[1, 2]\`. Remove the line."`,
    );
    expect(error).toMatchObject({ name: "EspalierError", code: "file-malformed", kind: "program" });
  });

  it("say how much of a long part they leave out, and keep all of it in their report", () => {
    const got = "x".repeat(10_450);
    const error = new EspalierError({ code: "file-malformed", problem: "A row", got });
    expect(error.message).toMatch(/^A row\. Got: x{450}\.\.\. \(10000 more characters\)\.$/);
    expect(error.report.got).toBe(got);
  });

  it("are told apart across two copies of the package", () => {
    const foreign = Object.assign(new Error("from another copy"), { code: "output-empty" });
    Object.defineProperty(foreign, Symbol.for("espalier.error"), { value: true });
    expect(EspalierError.isInstance(foreign)).toBe(true);
    expect(FormatError.isInstance(foreign)).toBe(true);
    expect(LmError.isInstance(foreign)).toBe(false);
    expect(EspalierError.isInstance(new Error("plain"))).toBe(false);
  });

  it("are retryable exactly when the fault is the infrastructure's", () => {
    const retryable = (Object.keys(errorCodes) as (keyof typeof errorCodes)[]).filter(
      (code) => code.startsWith("lm-") && new LmError({ code, problem: "x" }).isRetryable,
    );
    expect(retryable).toEqual([
      "lm-unreachable",
      "lm-stalled",
      "lm-rate-limited",
      "lm-unavailable",
      "lm-server-error",
      "lm-bad-envelope",
    ]);
  });

  it("become data: ours by their code, an abort as an abort, anything else as the program's fault", () => {
    const controller = new AbortController();
    controller.abort();
    expect(failureOf(new LmError({ code: "lm-stalled", problem: "Silence" }))).toEqual({
      kind: "infrastructure",
      code: "lm-stalled",
      message: "Silence.",
    });
    expect(failureOf(controller.signal.reason).kind).toBe("aborted");
    expect(failureOf(new TypeError("x"))).toEqual({
      kind: "program",
      code: "program-failed",
      message: "TypeError: x",
    });
    expect(failureOf("thrown text").message).toBe("thrown text");
  });
});
