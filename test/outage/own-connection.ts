/**
 * Headers of a request that no other follows on its connection: a server may close an idle
 * connection just when the next request is sent.
 */
export const ownConnection = { connection: "close" };
