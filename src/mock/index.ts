/**
 * Which parts of a run a mock played, and how to say so: figures obtained with a mock say
 * nothing about a real model, so they are labelled wherever they appear. Only this module decides
 * on and words the label. It checks a model's identity and never loads a mock.
 */
export type { PlayedPart, Mock, MockLabel } from "./mocks.ts";
export {
  distinctMocks,
  isRehearsal,
  isMock,
  playedParts,
  mockLms,
  mocksAmong,
  mocksOfRun,
  mockLabel,
} from "./mocks.ts";
