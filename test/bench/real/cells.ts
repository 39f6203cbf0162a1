import { join } from "node:path";
import type { RunStore } from "../../../scripts/support/run-store.ts";
import { runStore } from "../../../scripts/support/run-store.ts";
import { connect } from "espalier/lm";
import type { PythonPackage } from "../support/python-package.ts";
import type { Calls, Endpoint, Phase } from "./endpoint.ts";
import type { CellTask, Found, Search } from "./searches.ts";
import { budget, threads } from "./searches.ts";
import type { RealTask } from "./tasks.ts";
import { deal } from "./tasks.ts";

/** A run of the table. */
export interface Cell {
  readonly task: RealTask;
  readonly search: Search;
  readonly seed: number;
  /** Of the student. */
  readonly model: string;
  /** Of those who reflect. */
  readonly reflectionModel: string;
}

/** What came of a cell, as it is kept in the repository. */
export interface CellFigures extends Found {
  readonly task: string;
  readonly search: string;
  readonly seed: number;
  readonly model: string;
  /** `null` for a search without reflection. */
  readonly reflectionModel: string | null;
  readonly student: Calls;
  readonly reflection: Calls;
}

export const keyOf = ({ task, search, seed, model, reflectionModel }: Cell): string =>
  [model, task.name, search.name, seed, ...(search.reflects ? [reflectionModel] : [])].join("/");

/** What came of all cells that were ever run. */
export function keptCells(): RunStore<CellFigures> {
  return runStore<CellFigures>(join(import.meta.dirname, "cells.jsonl"));
}

/** Another search of the same task, model and seed. */
export function sameRun(
  cells: readonly CellFigures[],
  { model, task, seed }: Pick<CellFigures, "model" | "task" | "seed">,
  search: string,
): CellFigures | undefined {
  return cells.find(
    (cell) =>
      cell.search === search && cell.model === model && cell.task === task && cell.seed === seed,
  );
}

export async function runCell(
  cell: Cell,
  { endpoint, dspy }: { readonly endpoint: Endpoint; readonly dspy: PythonPackage | string },
): Promise<CellFigures> {
  const { task, search, seed, model, reflectionModel } = cell;
  const run = keyOf(cell).replaceAll("/", ".");
  const rows = deal(task, seed);
  const phases: readonly Phase[] = ["search", "reflection", "test", "further"];
  const baseUrls = Object.fromEntries(
    phases.map((phase) => [phase, endpoint.baseUrl(task.name, run, phase)]),
  );
  const lmAt = (phase: Phase, name: string) =>
    connect({
      baseUrl: endpoint.baseUrl(task.name, run, phase),
      model: name,
      dialect: "vllm",
      examinationsFolder: null,
      stallTimeoutMs: 1_800_000,
    });
  const given = {
    task,
    deal: rows,
    seed,
    valRows: rows.val.length,
    baseUrls,
    model,
    reflectionModel,
    budget,
    threads,
  };
  const cellTask: CellTask = {
    task,
    deal: rows,
    seed,
    student: (phase) => lmAt(phase, model),
    reflection: search.reflects ? lmAt("reflection", reflectionModel) : null,
    dspy,
    given,
  };
  const found = await search.run(cellTask);
  return {
    task: task.name,
    search: search.name,
    seed,
    model,
    reflectionModel: search.reflects ? reflectionModel : null,
    student: endpoint.calls(task.name, run, "search"),
    reflection: endpoint.calls(task.name, run, "reflection"),
    ...found,
  };
}
