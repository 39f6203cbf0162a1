import { createHash } from "node:crypto";
import type { LanguageModel } from "espalier";
import { kindsLm } from "./kinds.ts";

/** Answers as `kindsLm`; asked for a text, it writes one that its prompt decides. */
export const writingKindsLm: LanguageModel = {
  ...kindsLm,
  doGenerate: async (request, options) => {
    const fields = Object.keys(request.responseSchema?.schema["properties"] ?? {});
    const reply = await kindsLm.doGenerate(request, options);
    if (fields.some((field) => field === "note" || field === "answer")) return reply;
    const hash = createHash("sha256").update(JSON.stringify(request.messages)).digest("hex");
    const written = `Answer with care, in the way ${hash.slice(0, 8)}.`;
    return { ...reply, content: JSON.stringify({ [fields[0] ?? ""]: written }) };
  },
};
