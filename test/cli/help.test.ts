import { expect, test, vi } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { main } from "../../src/cli/index.ts";

const outer = Object.keys(commands).map((name) => [name]);
const nested = await Promise.all(
  Object.entries(commands).map(async ([name, { load }]) => {
    const { subCommands = {} } = await load();
    return Object.keys(subCommands as object).map((second) => [name, second]);
  }),
);

test("some commands have commands of their own", () => {
  expect(nested.flat().map((words) => words.join(" "))).toContain("artifact list");
});

/** A command stays in one line, to be pasted. */
const isTooLong = (line: string): boolean => line.length > 80 && !/^ {2}espalier /.test(line);

test.each([...outer, ...nested.flat()].map((words) => words.join(" ")))(
  "the help of `%s` names the command as it is typed",
  async (words) => {
    const printed = vi.spyOn(console, "log").mockReturnValue();
    await main([...words.split(" "), "--help"]);
    const help = String(printed.mock.calls[0]?.[0]);
    const text = help.replaceAll(/\s+/g, " ");
    expect(text).toContain(` (espalier ${words}) `);
    expect(text).toContain(`USAGE espalier ${words} `);
    expect(text).toContain(` EXAMPLES # `);
    expect(help.split("\n").filter(isTooLong)).toEqual([]);
    await main(["help", ...words.split(" ")]);
    expect(printed.mock.calls[1]?.[0]).toBe(help);
  },
);
