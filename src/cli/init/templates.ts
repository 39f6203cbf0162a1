import { EspalierError } from "../../errors/index.ts";

export interface Template {
  readonly about: string;
  /** What rehearsal cannot show of it; absent where there is nothing to say. */
  readonly inRehearsal?: string;
}

/** What a project may start from, by the names of the folders in `templates/`. */
export const templates: Readonly<Record<string, Template>> = {
  extractor: { about: "fields out of messages, one step" },
  "text-to-sql": {
    about: "questions into SQL that runs, with a repair loop",
    inRehearsal: "The mock LM knows no SQL: this template scores 0 until --lm names a model.",
  },
  rag: { about: "answers from your own documents" },
};

/** @throws EspalierError `usage-invalid` for a name that is no template's */
export function templateNamed(name: string): Template {
  const found = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `No template "${name}"`,
    expected: Object.keys(templates).join(", "),
    where: "--template",
  });
}
