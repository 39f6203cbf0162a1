import type { ReceivedRequest } from "../../../support/scripted-lm.ts";

/** A reply with one text in each field that is asked for. */
export function writtenAs({ response_format: format }: ReceivedRequest, text: string): string {
  const asked = format?.json_schema as
    | { readonly name: string; readonly schema: { readonly properties: object } }
    | undefined;
  const names = Object.keys(asked?.schema.properties ?? {});
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, text])));
}
