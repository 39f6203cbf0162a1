import { mebibyte } from "../../internal/index.ts";

/** The largest file of a result that is read: about what one text of JavaScript can hold. */
export const maxResultBytes: number = 500 * mebibyte;
