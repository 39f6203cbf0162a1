import { expect, it } from "vitest";
import { runMain } from "../../support/run-main.ts";

it("espalier eval shows the first replies as they come, with what the rest takes, beside clean JSON", async () => {
  const words = ["eval", "test/cli/fixtures/towns.ts", "--limit", "5", "--concurrency", "1"];
  const { stdout, stderr, lines } = await runMain([...words, "--json"]);
  const first = lines.filter((line) => /^\S+, \d+\.\d s: /.test(line));
  expect(first).toHaveLength(3);
  for (const line of first) {
    expect(line).toMatch(/^\S+, \d+\.\d s: \{"answer":".*, [01]\.\d{4}; \d+ s left$/);
    expect(stderr).toContain(line);
  }
  expect(lines.indexOf(first[2] ?? "")).toBeLessThan(
    lines.findIndex((line) => line.startsWith("towns: program answerer")),
  );
  expect(stdout).not.toContain(" left");
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ study: "towns" });
});
