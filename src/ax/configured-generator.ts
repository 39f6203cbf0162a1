/**
 * What an `AxGen` can be given; ax's documentation says more of each. Written out here, since a user of
 * this package has no types of ax.
 */
export interface ConfiguredGenerator {
  /** `false`, or a text that says what is wrong, makes ax ask for a correction. */
  addAssert(check: (values: Outputs) => Verdict, message?: string): void;
  addStreamingAssert(
    field: string,
    check: (content: string, done?: boolean) => Verdict,
    message?: string,
  ): void;
  /** What the function returns is not used; what it does to `context.values` is. */
  addFieldProcessor(field: string, process: Processor<Outputs>): void;
  addStreamingFieldProcessor(field: string, process: Processor<string>): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a check says in its own parameter what the outputs are
type Outputs = any;
type Verdict = boolean | string | undefined | Promise<boolean | string | undefined>;
type Processor<TValue> = (value: TValue, context?: ProcessorContext) => unknown;

interface ProcessorContext {
  readonly values?: Outputs;
  readonly sessionId?: string;
  readonly done?: boolean;
}
