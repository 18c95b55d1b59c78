/**
 * Options for HTTP servers of tests. Node closes idle connections after five seconds. A busy machine may stall a client for
 * that long just before it sends its next request, which then fails with ECONNRESET.
 */
export const KEEP_ALIVE = { keepAliveTimeout: 0 };
