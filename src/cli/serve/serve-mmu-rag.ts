import { EspalierError } from "../../errors/index.ts";
import type { Face, Serving } from "../../serve/index.ts";
import { mmuRagFace } from "../../serve/index.ts";

/**
 * The routes of MMU-RAG, if the command line names a model for them.
 *
 * @throws EspalierError `usage-invalid` for a model that the serving lacks: else each question would say so
 */
export function serveMmuRag({ models }: Serving, name: string | undefined): readonly Face[] {
  if (name === undefined) return [];
  const [id] = name.split("@");
  if (models.some((model) => model.id === id)) return [mmuRagFace({ model: name })];
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--mmu-rag names no model of the serving",
    expected: models.map((model) => model.id).join(", "),
    got: `"${name}"`,
  });
}
