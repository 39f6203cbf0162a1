import { EspalierError } from "../../errors/index.ts";
import type { Field, Signature } from "../../signature/index.ts";

/** Throws `option-invalid` unless the call streams one of the signature's text outputs, or none. */
export function checkStreamed(
  { stream, path }: { readonly path: string; readonly stream?: string | true | undefined },
  { name, fields }: Signature,
): void {
  const isText = ({ shape }: Field): boolean =>
    (shape.kind === "nullable" ? shape.of : shape).kind === "text";
  if (stream === undefined || stream === true) return;
  if (fields.output.some((field) => field.name === stream && isText(field))) return;
  const texts = fields.output.filter(isText).map((field) => field.name);
  throw new EspalierError({
    code: "option-invalid",
    problem: `Signature "${name}" has no text output "${stream}" to stream`,
    where: `call path "${path}"`,
    expected: texts.map((text) => `"${text}"`).join(", ") || "a signature with a text output",
  });
}
