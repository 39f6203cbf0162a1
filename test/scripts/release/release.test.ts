import { describe, expect, it } from "vitest";
import { changelogEntry } from "../../../scripts/release/changelog-entry.ts";
import { releaseProblems } from "../../../scripts/release/release-problems.ts";

const changelog = `# Changelog

## [Unreleased]

### Added

- A door.

## [0.1.0] - 2026-12-01

- The first.
- Another.
`;

describe("the changelog entry of a release", () => {
  it("is the section of its version", () => {
    expect(changelogEntry(changelog, "0.1.0")).toEqual({
      title: "0.1.0 - 2026-12-01",
      isOfVersion: true,
      lines: 2,
    });
  });

  it("is what is unreleased where the version has no section, and says so", () => {
    expect(changelogEntry(changelog, "0.2.0")).toEqual({
      title: "Unreleased",
      isOfVersion: false,
      lines: 2,
    });
  });

  it("is absent where there is neither", () => {
    expect(changelogEntry("# Changelog\n", "0.1.0")).toBeUndefined();
  });
});

describe("a release", () => {
  const ready = {
    name: "espalier",
    isPrivate: false,
    tag: "v0.1.0",
    isTagged: false,
    hasEntry: true,
  };

  it("can be made from a clean main whose packages are public, new and in the changelog", () => {
    expect(releaseProblems({ changedFiles: [], branch: "main", packages: [ready] })).toEqual([]);
  });

  it("names everything that is missing", () => {
    const packages = [
      { ...ready, isPrivate: true, hasEntry: false },
      { ...ready, name: "@espalier/rehearsal", tag: "@espalier/rehearsal@0.1.0", isTagged: true },
    ];
    expect(releaseProblems({ changedFiles: [" M README.md"], branch: "next", packages })).toEqual([
      "The checkout has 1 changed files: commit or remove them.",
      'The branch is "next": release from main.',
      'espalier is private: remove "private" from its package.json.',
      'CHANGELOG.md has no section for v0.1.0: rename "Unreleased" to it.',
      "The tag @espalier/rehearsal@0.1.0 exists: raise the version of @espalier/rehearsal.",
    ]);
  });
});
