import { describe, expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";

describe("an option", () => {
  test.each([
    ["--lm", "eval", "study.ts", "--lm", "http://a/v1", "--lm=http://b/v1"],
    ["--lm-for", "run", "study.ts", "--input", "{}", "--lm-for", "judge=a", "--lm-for", "answer=b"],
    ["--budget", "optimize", "study.ts", "--budget=10", "--seed", "1", "--budget=20"],
    ["--servers", "servers", "--servers", "a.json", "--servers", "a.json"],
    ["--port", "serve", "serving.ts", "--port", "0", "--port", "8080"],
    [
      "--model",
      "batch",
      "serving.ts",
      "--model",
      "a",
      "--input",
      "b",
      "--out",
      "c",
      "--model",
      "d",
    ],
  ])("%s that is given twice is refused by `espalier %s`", async (option, ...words) => {
    const { code, stdout, stderr } = await runMain(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`${option} is given twice`);
    expect(stderr).toContain("If the option takes a list, separate the values with commas");
  });

  test("of no value may stand twice, and a value may look like another option's name", async () => {
    const words = ["eval", "no-such-study.ts", "--json", "--json", "--lm", "lm", "--model", "lm"];
    const { stderr } = await runMain([...words, "--servers", "none"]);
    expect(stderr).not.toContain("twice");
  });
});
