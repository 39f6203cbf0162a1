import type { Component } from "../../contract/index.ts";

/** A component's value as text: a string as it is, any other value as JSON. */
export function componentText({ value }: Component): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
