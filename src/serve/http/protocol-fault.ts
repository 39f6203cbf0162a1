import type { IncomingMessage } from "node:http";
import { STATUS_CODES } from "node:http";
import { ApiError } from "../api-error/api-error.ts";

/** The fault of a message that cannot be turned into a `Request`; `null` if there is none. */
export function requestFault({
  method,
  url,
  headers,
  httpVersion,
}: IncomingMessage): ApiError | null {
  if (method === "TRACE" || method === "CONNECT") return methodNotAllowed();
  if (url === "*") return invalidRequest("`*` is not a supported path.");
  if (headers.host === undefined && httpVersion !== "1.0") {
    return invalidRequest("The request has no `Host` header.");
  }
  return null;
}

/** An error or a timeout of Node.js' parser. */
export function connectionFault(error: Error): ApiError {
  const code = "code" in error ? error.code : "";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ApiError(408, "request_timeout", "The request did not arrive completely in time.");
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ApiError(431, "headers_too_large", "The request headers are too long.");
  }
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return new ApiError(413, "request_too_large", "The chunk extensions are too long.");
  }
  return invalidRequest("The request is not valid HTTP/1.1.");
}

export function invalidRequest(message: string): ApiError {
  return new ApiError(400, "invalid_request", message);
}

export function methodNotAllowed(): ApiError {
  return new ApiError(405, "method_not_allowed", "TRACE and CONNECT are not supported.");
}

/** Closes the connection: the rest of its data is not read. */
export function headersOf({ body }: ApiError): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(JSON.stringify(body))),
    "x-content-type-options": "nosniff",
    connection: "close",
  };
}

/** Bytes for a connection that has no response object. */
export function rawResponse(error: ApiError): string {
  const lines = Object.entries(headersOf(error)).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = STATUS_CODES[error.status] ?? "";
  return `HTTP/1.1 ${error.status} ${reason}\r\n${lines.join("")}\r\n${JSON.stringify(error.body)}`;
}
