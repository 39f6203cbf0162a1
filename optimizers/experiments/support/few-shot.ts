import type { Candidate } from "espalier";
import demonstrations from "../../candidates/hanrag/few-shot.json" with { type: "json" };

/** HANRAG with as many demonstrations as the prompts of its paper have, in words of our own. */
export const fewShot = demonstrations as Candidate;
