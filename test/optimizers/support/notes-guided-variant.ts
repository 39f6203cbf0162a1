import { afterEach, expect, vi } from "vitest";
import type { Study } from "espalier";
import declareNotesGuided from "../../../optimizers/notes-guided.ts";
import { missingTexts } from "./missing-texts.ts";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());

/** A variant of the notes-guided study; rejects with its error if its data is missing. */
export async function notesGuidedVariant(name: string): Promise<Study> {
  const make = notesGuided.variants?.[name];
  if (make === undefined) throw new Error(`no variant ${name}`);
  return make();
}

/** Undoes stubbed environment variables and spies after each test of the file. */
export function restoreAfterEach(): void {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
}

/** Loads a multi-hop variant from the folder and checks its splits, inputs and passages. */
export async function expectSingleQuestions(name: string, folder: string): Promise<void> {
  vi.stubEnv("ESPALIER_MULTIHOP_DIR", folder);
  const study = await notesGuidedVariant(name);
  expect(study.trainset.name).toBe(name);
  const { train, val, test: held } = study.trainset.splits;
  expect(Math.min(train.length, val.length, held.length)).toBeGreaterThan(30);
  expect(train[0]?.input).toMatchObject({ history: [] });
  expect(await missingTexts(study)).toEqual([]);
}
