import type { Artifact } from "espalier/artifact";
import { compileArtifact } from "espalier/artifact";
import { travelGuide } from "../travel-guide.ts";

/**
 * An artifact of the travel guide with an instruction of its own, and so with a hash of its own.
 */
export function guide(instruction: string): Artifact {
  return compileArtifact({
    program: travelGuide(),
    candidate: [{ kind: "instruction", path: "answer", value: instruction }],
    lm: { provider: "test", model: "none" },
    samples: {
      answer: [{ question: "Where is the pier?", passages: [{ id: "p", text: "Here." }] }],
    },
  });
}

/** The time of the first move, then of the second..., one minute apart. */
export function minutes(): () => Date {
  let minute = 0;
  return () => new Date(Date.UTC(2030, 0, 1, 0, minute++));
}
