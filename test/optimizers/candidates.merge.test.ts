import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Component } from "espalier";
import { loadedStudy } from "./support/loaded-study.ts";

const folder = resolve(import.meta.dirname, "../../optimizers");

/** A folder of candidates has the name of the study whose program they change. */
const studies = readdirSync(join(folder, "candidates"));

const candidates = studies.flatMap((study) =>
  readdirSync(join(folder, "candidates", study)).map((file) => [study, file] as const),
);

describe("shipped candidates", () => {
  test.each(candidates)("%s/%s fits its program, and changes it", async (study, file) => {
    const { program } = await loadedStudy(join(folder, `${study}.ts`));
    const text = readFileSync(join(folder, "candidates", study, file), "utf8");
    const components = JSON.parse(text) as readonly Component[];
    const changed = program.with(components);
    const valueOf = (given: typeof program, { kind, path }: Component) =>
      given.components().find((one) => one.kind === kind && one.path === path)?.value;
    for (const component of components) {
      expect(valueOf(changed, component)).toEqual(component.value);
      expect(valueOf(program, component)).not.toEqual(component.value);
    }
  });
});
