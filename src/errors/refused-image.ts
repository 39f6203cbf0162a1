import { EspalierError } from "./espalier-error.ts";
import { LmError } from "./lm-error.ts";

/**
 * The fault of a request with images, in a sentence of its own if the model reads text alone; any
 * other fault as it is.
 *
 * @param fault of a request that held images
 */
export function refusedImage(fault: unknown, model: string): unknown {
  if (!EspalierError.isInstance(fault) || fault.code !== "lm-request-refused") return fault;
  const { got = "", where } = fault.report;
  if (!noImages.test(got)) return fault;
  const { status, body } = fault as LmError;
  return new LmError({
    code: fault.code,
    problem: `The model \`${model}\` reads text alone, and the request holds an image`,
    got,
    ...(where !== undefined && { where }),
    fix: "Leave the image out, or name a model that sees, such as one of those that vLLM lists as multimodal.",
    ...(status !== undefined && { status }),
    ...(body !== undefined && { body }),
    cause: fault.cause,
  });
}

/** How vLLM and others say so. */
const noImages =
  /not a multimodal model|at most 0 image|not support image|image input|unknown part type: image|image_url/i;
