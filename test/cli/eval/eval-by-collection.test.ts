import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";

const towns = "test/cli/fixtures/towns-by-collection.ts";

interface Line {
  readonly value: number;
  readonly collections: Readonly<
    Record<
      string,
      {
        readonly collections: readonly {
          readonly collection: string;
          readonly mean: number;
          readonly judged: number;
          readonly predictions: number;
        }[];
        readonly all: number;
        readonly plain: number;
      }
    >
  >;
}

test("eval prints means by collection and over all, and says them in the JSON line", async () => {
  const { code, stdout } = await runMain(["eval", towns, "--collections", "collection", "--json"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /\ntoken_f1 by collection:\n {2}hills {2}[01]\.\d{5} {2}\(3 of 3 scored\)\n {2}coasts {2}[01]\.\d{5} {2}\(1 of 2 scored\)\n {2}all {2}/,
  );
  const line = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Line;
  const figures = line.collections["token_f1"];
  const [hills, coasts] = figures?.collections ?? [];
  expect(figures?.plain).toBeCloseTo(line.value, 12);
  expect(figures?.all).toBeCloseTo(((hills?.mean ?? NaN) * 3 + (coasts?.mean ?? NaN) * 2) / 5, 12);
});

test("eval refuses a label that names no collection before anything is run", async () => {
  const { code, stdout, stderr } = await runMain(["eval", towns, "--collections", "shelf"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain('An example has no text label "shelf" for its collection');
  expect(stderr).toContain("labels answers, collection");
});
