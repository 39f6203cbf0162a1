import { expect, it } from "vitest";
import { readNaming } from "../../../../src/optimizer/gepa/failure-mode/read-naming.ts";

const options = { count: 4, most: 3, known: [] };

function mode(name: string, examples: readonly number[], description = "So it fails.") {
  return { name, description, examples };
}

it("reads modes, with the first that lists an example", () => {
  const naming = readNaming([mode("Late", [1, 3]), mode("Wrong", [3, 2, 9, 0])], options);
  expect(naming).toEqual({
    ok: true,
    modes: [
      { name: "Late", description: "So it fails." },
      { name: "Wrong", description: "So it fails." },
    ],
    modeOf: ["Late", "Wrong", "Late", null],
  });
});

it("takes a name for that of a known mode whatever its case, and two equal names for one", () => {
  const known = [{ name: "Late", description: "It comes too late." }];
  const naming = readNaming([mode("LATE", [1]), mode("late ", [2]), mode("", [3, 4])], {
    ...options,
    count: 3,
    known,
  });
  expect(naming).toMatchObject({ ok: true, modes: known, modeOf: ["Late", "Late", null] });
});

it("keeps names and descriptions to one short line", () => {
  const naming = readNaming([mode("Late\n# Example 1", [1, 2, 3], "x ".repeat(1_000))], options);
  const [read] = naming.ok ? naming.modes : [];
  expect(read?.name).toBe("Late # Example 1");
  expect(Buffer.byteLength(read?.description ?? "")).toBeLessThanOrEqual(400);
});

it.each([
  ["no modes", []],
  ["numbers of no example", [mode("Late", [7, 8, -1])]],
  ["half of the examples", [mode("Late", [1, 2])]],
  ["no name", [mode("  ", [1, 2, 3, 4])]],
])("cannot use a reply with %s", (_, reply) => {
  const naming = readNaming(reply, options);
  expect(naming).toEqual({
    ok: false,
    reason: expect.stringMatching(
      /^It puts [24] of the 4 examples into no mode: list the number of each example under one mode\.$/,
    ) as string,
  });
});

it("cannot use a reply with more modes than were asked for", () => {
  const reply = [1, 2, 3, 4].map((number) => mode(`Mode ${number}`, [number]));
  expect(readNaming(reply, options)).toEqual({
    ok: false,
    reason: "It names 4 modes; at most 3 are asked for.",
  });
});
