import type { JsonObject, Passage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import {
  at,
  excerpt,
  jsonOrUndefined,
  objectOf,
  orNull,
  plainObject,
  text,
} from "../../internal/index.ts";

/** One row of the table `passages`. */
export type PassageRecord = Readonly<Record<string, unknown>>;

/**
 * The indexed passage.
 *
 * @throws EspalierError `index-unusable`
 */
export function passageOfRecord(record: PassageRecord): Passage {
  const { title = null, metadata: json = null } = record;
  const metadata = typeof json === "string" ? jsonOrUndefined(json) : json;
  const passage = { ...record, title, metadata };
  const problem = shape(passage);
  if (problem !== null) throw unusable(at("passage", problem), record["id"]);
  const { id, text } = passage as unknown as Passage;
  return {
    id,
    ...(title === null ? {} : { title: title as string }),
    text,
    ...(metadata === null ? {} : { metadata: metadata as JsonObject }),
  };
}

const shape = objectOf({ id: text, title: orNull(text), text, metadata: orNull(plainObject) });

function unusable(got: string, id: unknown): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "The index contains a passage that was not written when it was built",
    where: `passage \`${excerpt(String(id), 80)}\``,
    got,
    fix: "Remove the index and build it again.",
  });
}
