import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Corpus-specific rewriter for Cloud (AILS-NTUA, SemEval-2026 Task 8, appendix B.13 and table 29):
 * error codes and flags survive.
 */
export const rewriteForCloudDocumentation = signature({
  name: "rewrite-for-cloud-documentation",
  instruction: `Rewrite the question as a search query over the technical documentation of a cloud provider, with the smallest change that makes it understandable alone.

- Replace pronouns and references by the service, feature or resource that they stand for.
- Keep error codes, commands and their flags, configuration keys, versions and names of services exactly as written.
- Bring in nothing that the conversation does not mention.
- If the question can already be understood alone, return it unchanged.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
  },
  output: {
    kind: z
      .enum(["standalone", "non-standalone"])
      .describe("Whether the question can be understood alone, as it was asked."),
    rewritten: text("query", "The search query over documentation pages.", { max: 1000 }),
  },
});
