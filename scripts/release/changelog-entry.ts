/** A version's section in a changelog that follows Keep a Changelog. */
export interface ChangelogEntry {
  /** `0.1.0 - 2026-12-01`, or `Unreleased`. */
  readonly title: string;
  readonly isOfVersion: boolean;
  /** Without empty ones. */
  readonly lines: number;
}

/** The version's section, else the unreleased section; `undefined` if there is neither. */
export function changelogEntry(changelog: string, version: string): ChangelogEntry | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string) => sections.find((section) => section.startsWith(`[${name}]`));
  const ofVersion = named(version);
  const section = ofVersion ?? named("Unreleased");
  if (section === undefined) return undefined;
  const [heading = "", ...body] = section.split("\n");
  return {
    title: heading.replace(/[[\]]/g, ""),
    isOfVersion: ofVersion !== undefined,
    lines: body.filter((line) => line.trim() !== "").length,
  };
}
