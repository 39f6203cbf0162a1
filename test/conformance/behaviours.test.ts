import { describe, expect, it } from "vitest";
import { behaviours } from "./support/behaviours.ts";
import { testTitles } from "./support/test-titles.ts";

const titles = testTitles();
const numbered = Object.entries(behaviours).map(
  ([number, held]) => [Number(number), held] as const,
);

describe("the 25 behaviours", () => {
  it("are each listed", () => {
    expect(numbered.map(([number]) => number)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
  });

  it.each(numbered)(
    "number %i is checked by a test that names it or is named: %o",
    (number, held) => {
      expect(namedBy(number).length + (held.tests?.length ?? 0)).toBeGreaterThan(0);
    },
  );

  it("are checked by the tests that are named here", () => {
    const named = numbered.flatMap(([, { tests = [] }]) => tests);
    expect(named.length).toBeGreaterThan(20);
    for (const [file, title] of named) expect(titles).toContainEqual({ file, title });
  });

  it("have a reason for each part that is not held to", () => {
    for (const [part, reason] of numbered.flatMap(([, { dropped = [] }]) => dropped)) {
      expect(part.length).toBeGreaterThan(0);
      expect(reason.split(" ").length).toBeGreaterThan(3);
    }
  });

  it("are named by their number, and no test names another", () => {
    const named = titles.flatMap(({ title }) =>
      [...title.matchAll(/\bbehaviours? ((?:\d+(?:, | and )?)+)/gi)].flatMap(([, numbers = ""]) =>
        numbers.split(/, | and /).map(Number),
      ),
    );
    expect(named.filter((number) => behaviours[number] === undefined)).toEqual([]);
  });
});

/** Tests whose title says "behaviour 8: ..." or "behaviours 8 and 9: ...". */
function namedBy(number: number): readonly unknown[] {
  const named = new RegExp(`\\bbehaviours? (?:\\d+(?:, | and ))*${number}\\b`, "i");
  return titles.filter(({ title }) => named.test(title));
}
