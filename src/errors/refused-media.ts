import type { ErrorCode } from "./error-codes.ts";
import { EspalierError } from "./espalier-error.ts";
import { LmError } from "./lm-error.ts";

/**
 * The fault of a request with images or files, in a sentence of its own if the model or its server
 * takes none; any other fault as it is.
 *
 * @param held whether the request held some
 */
export function refusedMedia(
  fault: unknown,
  model: string,
  held: { readonly images: boolean; readonly files: boolean },
): unknown {
  if (!EspalierError.isInstance(fault)) return fault;
  const { got = "", where } = fault.report;
  const about = kinds.find(
    ({ of, codes, says }) => held[of] && codes.includes(fault.code) && says.test(got),
  );
  if (about === undefined) return fault;
  const { status, body } = fault as LmError;
  return new LmError({
    code: fault.code,
    problem: about.problem(model),
    got,
    ...(where !== undefined && { where }),
    fix: about.fix,
    ...(status !== undefined && { status }),
    ...(body !== undefined && { body }),
    cause: fault.cause,
  });
}

interface Kind {
  readonly of: "images" | "files";
  readonly codes: readonly ErrorCode[];
  /** How vLLM and others say so. */
  readonly says: RegExp;
  readonly problem: (model: string) => string;
  readonly fix: string;
}

const kinds: readonly Kind[] = [
  {
    of: "images",
    codes: ["lm-request-refused"],
    says: /not a multimodal model|at most 0 image|not support image|image input|unknown part type: image|image_url/i,
    problem: (model) => `The model \`${model}\` reads text alone, and the request holds an image`,
    fix: "Leave the image out, or name a model that sees, such as one of those that vLLM lists as multimodal.",
  },
  {
    of: "files",
    // The second: a provider of the AI SDK did not even send it.
    codes: ["lm-request-refused", "lm-unsupported"],
    says: /not a multimodal model|(?:unknown|unsupported|invalid)[^.]{0,40}\bfiles?\b|\bfile (?:part|input|data)|file_data|not support files?|text or images/i,
    problem: (model) =>
      `The server of the model \`${model}\` does not take the file that the request holds`,
    fix: "Pass the file's text, or name a server and a model that take files of this type as parts of messages.",
  },
];
