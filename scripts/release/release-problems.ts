export interface ReleaseState {
  /** As `git status --porcelain` names them. */
  readonly changedFiles: readonly string[];
  readonly branch: string;
  readonly packages: readonly {
    readonly name: string;
    readonly isPrivate: boolean;
    readonly tag: string;
    readonly isTagged: boolean;
    /** Whether the changelog has a section of this version. */
    readonly hasEntry: boolean;
  }[];
}

/** Lists what a release still lacks, one sentence each. */
export function releaseProblems({
  changedFiles,
  branch,
  packages,
}: ReleaseState): readonly string[] {
  return [
    ...(changedFiles.length === 0
      ? []
      : [`The checkout has ${changedFiles.length} changed files: commit or remove them.`]),
    ...(branch === "main" ? [] : [`The branch is "${branch}": release from main.`]),
    ...packages.flatMap(({ name, isPrivate, tag, isTagged, hasEntry }) => [
      ...(isPrivate ? [`${name} is private: remove "private" from its package.json.`] : []),
      ...(isTagged ? [`The tag ${tag} exists: raise the version of ${name}.`] : []),
      ...(hasEntry ? [] : [`CHANGELOG.md has no section for ${tag}: rename "Unreleased" to it.`]),
    ]),
  ];
}
