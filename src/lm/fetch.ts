/** The global `fetch`, or one of its kind. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
