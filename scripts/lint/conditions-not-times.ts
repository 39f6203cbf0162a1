/**
 * Lint rules for tests, which must pass on a machine 20 times slower: they wait for conditions, and
 * compare no time that passed with a fixed one. oxlint loads this file as a plugin (`jsPlugins`).
 */
interface SyntaxNode {
  readonly type: string;
  readonly parent?: SyntaxNode | null;
  readonly [part: string]: unknown;
}

interface RuleContext {
  report(problem: { readonly message: string; readonly node: SyntaxNode }): void;
}

/** `setTimeout` of `node:timers/promises`, and a promise that a timer resolves. */
const noSleep = {
  create: (context: RuleContext) => {
    const sleeps = new Set<string>();
    const check = (node: SyntaxNode): void => {
      if (!isPolling(node)) context.report({ message: sleepMessage, node });
    };
    return {
      ImportSpecifier: (node: SyntaxNode): void => {
        const { source } = node.parent as unknown as { source: { value: string } };
        if (!/^(?:node:)?timers\/promises$/.test(source.value)) return;
        if (nameOf(node["imported"]) === "setTimeout") sleeps.add(nameOf(node["local"]));
      },
      CallExpression: (node: SyntaxNode): void => {
        if (sleeps.has(nameOf(node["callee"]))) check(node);
      },
      NewExpression: (node: SyntaxNode): void => {
        const [executor] = node["arguments"] as SyntaxNode[];
        if (nameOf(node["callee"]) !== "Promise" || executor === undefined) return;
        const [settle] = (executor["params"] as SyntaxNode[] | undefined) ?? [];
        const timer = onlyExpression(executor);
        if (timer?.type !== "CallExpression" || nameOf(timer["callee"]) !== "setTimeout") return;
        const [called] = timer["arguments"] as SyntaxNode[];
        if (nameOf(called) !== "" && nameOf(called) === nameOf(settle)) check(node);
      },
    };
  },
};

const sleepMessage =
  "Wait for a condition, not for a time: `expect.poll`, a gate, a promise that an event resolves, or the test's own clock.";

/**
 * A comparison by size, with a bound that is no time measured beside it. Zero is no bound, and a
 * ratio of two times is no time.
 */
const noDurationBound = {
  create: (context: RuleContext) => {
    const measured = new Set<string>();
    const isTime = (node: unknown): boolean => isTimeAmong(node, measured);
    return {
      VariableDeclarator: (node: SyntaxNode): void => {
        if (isTime(node["init"])) measured.add(nameOf(node["id"]));
      },
      CallExpression: (node: SyntaxNode): void => {
        const callee = node["callee"] as SyntaxNode;
        const matcher = nameOf(callee["property"]);
        if (!/^toBe(?:Less|Greater)Than(?:OrEqual)?$/.test(matcher)) return;
        const [bound] = node["arguments"] as SyntaxNode[];
        const subject = subjectOf(callee);
        const isLow = matcher.startsWith("toBeGreater") && bound?.["value"] === 0;
        if (isLow || !isTime(subject) || isTime(bound)) return;
        context.report({ message: boundMessage, node });
      },
    };
  },
};

/** CPU time, which other processes hardly stretch, is none. */
const duration = /^(?!cpu).*(?:Ms|[sS]econds|[eE]lapsed|[dD]uration)$/;
const boundMessage =
  "Do not compare elapsed time with a fixed value: count steps or calls, measure a reference side by side, or use the test's own clock.";

/** Whether it is in a loop that goes on until something holds; one that counts rounds is a wait. */
function isPolling(node: SyntaxNode): boolean {
  for (let at = node; at.parent; at = at.parent) {
    if (at.type.includes("Function")) return false;
    const { parent } = at;
    const isLoop = parent.type === "WhileStatement" || parent.type === "DoWhileStatement";
    if (isLoop && parent["body"] === at) return !isTimeAmong(parent["test"], new Set());
  }
  return false;
}

/** Whether a duration, a time or a sum of them, by its name or by where it comes from. */
function isTimeAmong(given: unknown, measured: ReadonlySet<string>): boolean {
  const isTime = (node: unknown): boolean => isTimeAmong(node, measured);
  const node = (given ?? { type: "" }) as SyntaxNode;
  switch (node.type) {
    case "Identifier":
      return duration.test(nameOf(node)) || measured.has(nameOf(node));
    case "MemberExpression":
      return duration.test(nameOf(node["property"]));
    case "CallExpression": {
      const callee = node["callee"] as SyntaxNode;
      if (nameOf(callee["object"]) === "Math") {
        return (node["arguments"] as SyntaxNode[]).some(isTime);
      }
      return isTime(callee) || nameOf(callee["property"]) === "now";
    }
    case "BinaryExpression":
      if (node["operator"] === "/" && isTime(node["right"])) return false;
      return isTime(node["left"]) || isTime(node["right"]);
    case "LogicalExpression":
      return isTime(node["left"]) || isTime(node["right"]);
    case "ArrowFunctionExpression":
      return isTime(node["body"]);
    case "ChainExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
      return isTime(node["expression"]);
    case "AwaitExpression":
    case "SpreadElement":
      return isTime(node["argument"]);
    default:
      return false;
  }
}

/** What `expect` was given. */
function subjectOf(callee: SyntaxNode): SyntaxNode | undefined {
  let at = callee["object"] as SyntaxNode | undefined;
  while (at?.type === "MemberExpression") at = at["object"] as SyntaxNode;
  return (at?.["arguments"] as SyntaxNode[] | undefined)?.[0];
}

function onlyExpression(executor: SyntaxNode): SyntaxNode | undefined {
  const body = executor["body"] as SyntaxNode | undefined;
  if (body?.type !== "BlockStatement") return body;
  const [statement, ...more] = body["body"] as SyntaxNode[];
  return more.length === 0 ? (statement?.["expression"] as SyntaxNode | undefined) : undefined;
}

function nameOf(node: unknown): string {
  const { type, name } = (node ?? {}) as { readonly type?: string; readonly name?: string };
  return type === "Identifier" ? (name ?? "") : "";
}

// oxlint-disable-next-line import/no-default-export -- oxlint reads a plugin's default export
export default {
  meta: { name: "espalier-tests" },
  rules: { "no-sleep": noSleep, "no-duration-bound": noDurationBound },
};
