import type { Component } from "../../contract/index.ts";

/** A component's value as text: what it holds, or JSON where that is no text. */
export function componentText({ value }: Component): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
