import type { JsonObject } from "../../../../src/contract/index.ts";
import { Refusal } from "./refusal.ts";

/** Reads the keys of a request body; each reader rejects values of the wrong type. */
export interface BodyReader {
  readonly raw: JsonObject;
  text(key: string): string | undefined;
  /** Within `[least, most]`. */
  number(key: string, least: number, most: number): number | undefined;
  integer(key: string, least: number, most: number): number | undefined;
  flag(key: string): boolean;
  object(key: string): BodyReader | undefined;
  /** One or several texts. */
  texts(key: string): readonly string[] | undefined;
}

export function bodyReader(raw: JsonObject, path = ""): BodyReader {
  const refuse = (key: string, expected: string): never => {
    throw new Refusal(400, `\`${path}${key}\`: Input should be ${expected}`, `${path}${key}`);
  };
  const held = (key: string): JsonObject[string] | undefined => raw[key] ?? undefined;

  const number = (key: string, least: number, most: number): number | undefined => {
    const value = held(key);
    if (value === undefined) return undefined;
    const isValid = typeof value === "number" && value >= least && value <= most;
    return isValid
      ? value
      : refuse(key, `a number in [${least}, ${most}], got ${JSON.stringify(value)}`);
  };

  return {
    raw,
    number,
    text: (key) => {
      const value = held(key);
      if (value === undefined || typeof value === "string") return value;
      return refuse(key, "a valid string");
    },
    integer: (key, least, most) => {
      const value = number(key, least, most);
      return value === undefined || Number.isInteger(value)
        ? value
        : refuse(key, "a valid integer");
    },
    flag: (key) => {
      const value = held(key);
      if (value === undefined || typeof value === "boolean") return value ?? false;
      return refuse(key, "a valid boolean");
    },
    object: (key) => {
      const value = held(key);
      if (value === undefined) return undefined;
      return isObject(value)
        ? bodyReader(value, `${path}${key}.`)
        : refuse(key, "a valid dictionary");
    },
    texts: (key) => {
      const value = held(key);
      if (value === undefined) return undefined;
      if (typeof value === "string") return [value];
      const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
      return isList ? value : refuse(key, "a string or a list of strings");
    },
  };
}

function isObject(value: JsonObject[string]): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
