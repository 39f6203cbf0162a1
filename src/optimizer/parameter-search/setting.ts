import type { Candidate, Component, ParameterValue } from "../../contract/index.ts";
import { contentHash, getOwn } from "../../internal/index.ts";

/** A value for each parameter that the search may change, by name. */
export type Setting = Readonly<Record<string, ParameterValue>>;

/** The components with the values of a setting; unchanged components keep their object identity. */
export function withSetting(components: Candidate, setting: Setting): Candidate {
  return components.map((component): Component => {
    if (component.kind !== "parameter") return component;
    const value = getOwn(setting, component.path);
    return value === undefined || value === component.value ? component : { ...component, value };
  });
}

/** Identifies a candidate of a search by its parameters. */
export function settingKey(components: Candidate): string {
  return contentHash(
    components.flatMap((component) =>
      component.kind === "parameter" ? [[component.path, component.value]] : [],
    ),
  );
}
