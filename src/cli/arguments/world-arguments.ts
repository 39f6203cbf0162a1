/** Whether agents may call tools that change the world. */
export const worldArguments: {
  readonly "allow-world-changes": {
    readonly type: "boolean";
    readonly description: string;
    readonly default: false;
  };
} = {
  "allow-world-changes": {
    type: "boolean",
    description:
      "Let agents call tools that change the world; otherwise their stand-ins answer, and a tool without one is refused",
    default: false,
  },
};
