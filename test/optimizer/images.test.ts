import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { rehearsalLm } from "@espalier/rehearsal";
import type { LanguageModel } from "espalier";
import { image, predict, program, signature, study } from "espalier";
import { compileArtifact, loadArtifact, programDrift } from "espalier/artifact";
import { metric, scored } from "espalier/metric";
import { bootstrapFewShot, gepa, optimize } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { expect, it } from "vitest";
import { z } from "zod";
import { imagesIn } from "../../src/contract/index.ts";
import { promptDrift } from "../../src/artifact/load/load-artifact.ts";
import { imagePlaceholder } from "../../src/internal/index.ts";
import { dataUrl, plainPng } from "../support/png.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const colours = { red: [220, 20, 20], green: [20, 150, 60], blue: [30, 60, 210] } as const;
type Colour = keyof typeof colours;
const names = Object.keys(colours) as Colour[];

const look = signature({
  name: "look",
  instruction: "Name the colour of the sign.",
  input: { sign: image("A road sign.") },
  output: { colour: z.enum(["red", "green", "blue"]).describe("Colour of the sign.") },
});
const looker = program({
  name: "looker",
  version: "1",
  input: look.input,
  output: look.output,
  predictors: { look: predict(look) },
  forward: (given, { predictors }) => predictors.look(given),
});
// No answer is right for the last colour, so that there is something to reflect on.
const examplesOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const colour = names[(from + index) % 3] as Colour;
    const sign = dataUrl(plainPng(colours[colour], 8 + from + index));
    return { id: `s${from + index}`, input: { sign }, labels: { right: colour } };
  });
const signs = study({
  name: "signs",
  program: looker,
  trainset: trainset({
    name: "signs",
    version: "1",
    licence: "CC0-1.0",
    source: "made",
    splits: { train: examplesOf(0, 9), val: examplesOf(20, 6) },
  }),
  objective: metric<{ sign: string }, { colour: string }, { right: string }>({
    name: "is-right",
    version: "1",
    score: ({ output, example }) =>
      scored(
        output.colour === example.labels.right && output.colour !== "blue" ? 1 : 0,
        `The sign is ${example.labels.right}.`,
      ),
  }),
});

/** Sees something only if it is shown another sign first; keeps the images of each call. */
const watched = (seen: (readonly string[])[]): LanguageModel => {
  const lm = rehearsalLm();
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      const images = imagesIn(request.messages).map(({ url }) => url);
      seen.push(images);
      const reply = await lm.doGenerate(request, options);
      return images.length > 1 ? reply : { ...reply, content: '{"colour":"red"}' };
    },
  };
};

it("demonstrations from runs have their examples' images, and the run's files name them", async () => {
  await using folder = await temporaryFolder();
  const runFolder = folder.path;
  const seen: (readonly string[])[] = [];
  const given = { optimizer: bootstrapFewShot({ trials: 4 }), seed: 3, runFolder };
  const result = await optimize(signs, { ...given, lm: watched(seen) });
  const { train } = signs.trainset.splits;
  const reds = new Set<string>(
    train.flatMap(({ input, labels }) => (labels.right === "red" ? [input.sign] : [])),
  );
  const shown = seen.flatMap((images) => images.slice(0, -1));
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.filter((url) => !reds.has(url))).toEqual([]);
  const first = signs.trainset.splits.train[0]?.input.sign ?? "";
  const files = await readdir(runFolder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), "utf8")),
  );
  expect(texts.join("")).toContain(imagePlaceholder(first));
  const again: (readonly string[])[] = [];
  const repeated = await optimize(signs, { ...given, resume: true, lm: watched(again) });
  expect(again).toEqual([]);
  expect(repeated.components).toEqual(result.components);
});

it("reflection reads placeholders, never the data", async () => {
  const prompts: string[] = [];
  const reflectionLm: LanguageModel = {
    identity: { provider: "rehearsal", model: "rehearsal" },
    doGenerate: (request, options) => {
      prompts.push(JSON.stringify(request.messages));
      return rehearsalLm().doGenerate(request, options);
    },
  };
  await optimize(signs, {
    optimizer: gepa(),
    lm: rehearsalLm(),
    reflectionLm,
    budget: { metricCalls: 40 },
    seed: 1,
  });
  expect(prompts.length).toBeGreaterThan(0);
  expect(prompts.join("")).toMatch(/\(image\/png, \d+ bytes, sha256 [0-9a-f]{12}\)/);
  expect(prompts.join("")).not.toContain("base64,");
});

it("an artifact holds its images, and a changed one is drift", () => {
  const [one, other] = signs.trainset.splits.train;
  const demonstration = {
    exampleId: "s0",
    inputs: { sign: one?.input.sign ?? "" },
    outputs: { colour: "red" },
  };
  const shown = looker.with([{ kind: "demos", path: "look", value: [demonstration] }]);
  const inputs = { sign: other?.input.sign ?? "" };
  const artifact = compileArtifact({
    program: shown,
    lm: { provider: "test", model: "none" },
    samples: { look: [inputs] },
  });
  expect(programDrift(artifact, looker)).toEqual([]);
  const loaded = loadArtifact(artifact, looker);
  expect(imagesIn(loaded.render("look", inputs)).map(({ url }) => url)).toEqual([
    demonstration.inputs.sign,
    inputs.sign,
  ]);
  const changed = { ...demonstration, inputs };
  const drift = promptDrift(
    artifact.compiled.samples,
    looker.with([{ kind: "demos", path: "look", value: [changed] }]),
  );
  expect(drift).toEqual([
    {
      what: 'image 1 of message 2 (user) of the prompt of predictor "look" for recorded input 1',
      was: JSON.stringify(imagePlaceholder(demonstration.inputs.sign)),
      now: JSON.stringify(imagePlaceholder(inputs.sign)),
      change: expect.stringContaining("instead of"),
    },
  ]);
});
