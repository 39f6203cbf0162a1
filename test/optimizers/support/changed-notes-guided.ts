import type { FieldSchemas, Predictors, TunableProgram } from "espalier";
import { program, reason, signature } from "espalier";
import { z } from "zod";
import declareNotesGuided from "../../../optimizers/notes-guided.ts";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());

export type FieldChange = "name" | "description" | "type";

export interface ChangedField {
  readonly predictor: string;
  readonly side: "input" | "output";
  readonly field: string;
  readonly change: FieldChange;
}

/** What a field that is called otherwise is called. */
export const renamed = (field: string): string => `${field}Again`;

/**
 * The program of the notes-guided study declared again, with one field of one signature changed.
 */
export function changedNotesGuided(changed?: ChangedField): TunableProgram {
  const declared = notesGuided.program;
  const predictors: Predictors = Object.fromEntries(
    Object.entries(declared.predictors).map(([name, { signature: was, settings }]) => {
      const { reasoning: _, ...output } = was.output;
      const fields = { input: was.input, output };
      const now = changed?.predictor === name ? withChange(fields, changed) : fields;
      return [name, reason(signature({ ...was, ...now }), settings)];
    }),
  );
  return program({
    ...declared,
    predictors,
    forward: () => Promise.reject(new Error("A refused program was run.")),
  });
}

type Fields = Readonly<Record<"input" | "output", FieldSchemas>>;

function withChange(fields: Fields, { side, field, change }: ChangedField): Fields {
  const changed = Object.entries(fields[side]).map(([name, schema]) => {
    if (name !== field) return [name, schema] as const;
    if (change === "name") return [renamed(name), schema] as const;
    if (change === "description")
      return [name, (schema as z.ZodType).describe("Something else.")] as const;
    return [name, z.array(z.int()).describe((schema as z.ZodType).description ?? "")] as const;
  });
  return { ...fields, [side]: Object.fromEntries(changed) };
}
