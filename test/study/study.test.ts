import { afterEach, expect, it } from "vitest";
import { study } from "espalier";
import { metric, scored } from "espalier/metric";
import { opened } from "../../src/internal/index.ts";
import { placeStudy } from "../optimizer/support/place-search.ts";

afterEach(() => opened.clear());

it("what a study has opened is known before the study is refused", () => {
  const resource = { [Symbol.dispose]: () => {} };
  expect(() => study({ ...placeStudy, name: "No name", resources: [resource] })).toThrow(
    "kebab-case",
  );
  expect([...opened]).toEqual([resource]);
});

it("refuses a resource that cannot be disposed of", () => {
  // @ts-expect-error -- a pool of connections, say
  expect(() => study({ ...placeStudy, resources: [{ end: () => {} }] })).toThrow(
    /A resource of the study cannot be disposed of.*Expected: .*asyncDispose/,
  );
});

it("takes what metric() takes, whose types follow from the program and the trainset", async () => {
  const { program, trainset } = placeStudy;
  const { objective } = study({
    name: "places",
    program,
    trainset,
    objective: {
      name: "named",
      version: "1",
      score: ({ output, example }) => {
        // @ts-expect-error -- the output has no such field
        void output.nothing;
        return scored(Object.keys(output as object).length, example.id);
      },
    },
  });
  const score = await objective.doScore({ example: { id: "one" }, output: { a: 1 } } as never);
  expect(score).toMatchObject({ value: 1, feedback: "one" });
  expect(objective.scoreFormatFailure({ message: "none" } as never, {} as never)).toMatchObject({
    value: 0,
  });
  expect(Object.keys(objective)).toEqual(
    Object.keys(metric({ name: "named", version: "1", score: () => scored(1) })),
  );
});
