/**
 * What an `AxGen` accepts; ax's documentation has the details. Written out here, since users of
 * this package do not have ax's types.
 */
export interface ConfiguredGenerator {
  /** `false`, or a text that describes the fault, makes ax ask for a correction. */
  addAssert(check: (values: Outputs) => Verdict, message?: string): void;
  addStreamingAssert(
    field: string,
    check: (content: string, done?: boolean) => Verdict,
    message?: string,
  ): void;
  /** Changes to `context.values` take effect; the return value is ignored. */
  addFieldProcessor(field: string, process: Processor<Outputs>): void;
  addStreamingFieldProcessor(field: string, process: Processor<string>): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a check's own parameter declares the type of the outputs
type Outputs = any;
type Verdict = boolean | string | undefined | Promise<boolean | string | undefined>;
type Processor<TValue> = (value: TValue, context?: ProcessorContext) => unknown;

interface ProcessorContext {
  readonly values?: Outputs;
  readonly sessionId?: string;
  readonly done?: boolean;
}
