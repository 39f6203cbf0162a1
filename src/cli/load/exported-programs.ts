import type { TunableProgram } from "../../program/index.ts";
import { isStudy } from "../../study/index.ts";

/**
 * Collects the programs that a module exports: directly, through studies, and through the models of
 * a serving file.
 */
export function exportedPrograms(exported: Readonly<Record<string, unknown>>): TunableProgram[] {
  return Object.values(exported)
    .flatMap((value) => (isStudy(value) ? [value.program] : [value, ...programsOfModels(value)]))
    .filter(isProgram);
}

// Recognizes a serving file by its shape, so that commands that do not serve need not load the
// server.
function programsOfModels(value: unknown): readonly unknown[] {
  const models = memberOf(value, "models");
  return Array.isArray(models) ? models.map((model: unknown) => memberOf(model, "program")) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

export function isProgram(value: unknown): value is TunableProgram {
  if (typeof value !== "object" || value === null) return false;
  const held = value as Partial<Record<keyof TunableProgram, unknown>>;
  return [held.attempt, held.with, held.render, held.components].every(
    (member) => typeof member === "function",
  );
}
