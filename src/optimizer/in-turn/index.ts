/**
 * Composes optimizers over one journal and budget. This folder knows optimizers only by their
 * contract, and no search of its own.
 */
export { inTurn } from "./in-turn.ts";
