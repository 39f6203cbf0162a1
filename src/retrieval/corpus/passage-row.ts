import type { JsonObject, Passage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { excerpt, isObject, parseJson } from "../../internal/index.ts";

/**
 * Parses one line of a corpus file. Accepts BEIR's `_id` as `id`, and whole numbers as ids. Unknown
 * keys become metadata, beside the content of `metadata`.
 *
 * @param where file and line, for errors
 * @throws EspalierError `file-malformed`
 */
export function passageFromRow(line: string, where: string): Passage {
  const row = parse(line, where);
  const { id, _id = id, title, text, metadata, ...others } = row;
  const refuse = (field: string, expected: string, got: unknown): never => {
    throw new EspalierError({
      code: "file-malformed",
      problem: `The passage does not have a usable \`${field}\``,
      expected,
      got: got === undefined ? "nothing" : excerpt(JSON.stringify(got), 80),
      where,
      fix: 'A row is `{"id": "...", "title": "...", "text": "..."}`; the title is optional.',
    });
  };
  if (id !== undefined && _id !== id) refuse("id", "`id` and `_id` to agree", { id, _id });
  const own = Number.isSafeInteger(_id) ? JSON.stringify(_id) : _id;
  if (typeof own !== "string" || own === "")
    return refuse("id", "`id` or `_id`: a non-empty string or a whole number", _id);
  if (typeof text !== "string") return refuse("text", "a string", text);
  if (title !== undefined && title !== null && typeof title !== "string")
    return refuse("title", "a string", title);
  if (metadata !== undefined && metadata !== null && !isObject(metadata))
    return refuse("metadata", "an object", metadata);
  const further = { ...others, ...metadata };
  return {
    id: own,
    ...(title === undefined || title === null ? {} : { title }),
    text,
    ...(Object.keys(further).length === 0 ? {} : { metadata: further }),
  };
}

function parse(line: string, where: string): JsonObject {
  let row: unknown;
  try {
    row = parseJson(line);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The line is not JSON",
      expected: "one JSON object on each line",
      got: `${excerpt(line, 80)} (${(error as Error).message})`,
      where,
      cause: error,
    });
  }
  if (isObject(row)) return row as JsonObject;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The line is not a passage",
    expected: "a JSON object on each line",
    got: excerpt(line, 80),
    where,
  });
}
