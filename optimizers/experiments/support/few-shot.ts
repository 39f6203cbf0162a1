import type { Candidate } from "espalier";
import demonstrations from "../../candidates/hanrag/few-shot.json" with { type: "json" };

/**
 * HANRAG with as many demonstrations as the prompts of its paper have (tables 10 to 14), in words
 * of our own; and two each for ending, aggregation and direct answers, whose prompts it lacks.
 */
export const fewShot = demonstrations as Candidate;
