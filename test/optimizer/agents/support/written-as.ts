import type { ReceivedRequest } from "../../../support/scripted-lm.ts";

/** A reply with one text in each field that is asked for. */
export function writtenAs({ response_format: format }: ReceivedRequest, text: string): string {
  const { schema } = format?.json_schema as unknown as {
    readonly schema: { readonly properties: object };
  };
  return JSON.stringify(
    Object.fromEntries(Object.keys(schema.properties).map((name) => [name, text])),
  );
}
