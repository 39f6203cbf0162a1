import { mebibyte } from "../../internal/index.ts";

/** The largest result file that is read: about the length limit of a JavaScript string. */
export const maxResultBytes: number = 500 * mebibyte;
