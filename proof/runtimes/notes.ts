/** What a reader must know about each runtime, beside the results. */
export const NOTES = `- **\`AsyncLocalStorage\`.** The tenant of a request is kept in \`node:async_hooks\`. Node.js, Bun and Deno have it. Workers need
  the flag \`nodejs_compat\` (or \`nodejs_als\`).
- **Servers that a tenant names**, such as the issuer of an OAuth config, are called with \`node:http\` and \`node:https\` at the
  address that was checked, in Node.js, Bun and Deno. In workerd they are called with \`fetch\`, and the runtime's network decides
  which addresses can be reached. See [Limits](limits.md).
- **Deno** sends these calls through the proxy in \`HTTP_PROXY\`, if it is set. The proxy must reject private addresses.
- **D1** has no interactive transactions. Set \`database: { requireTransactions: false }\`. Writes that belong together can then
  be interrupted half way.
- **Hundreds of requests at once in workerd with D1.** Of 400 simultaneous \`/tenant/delete\` requests to a local D1, 251 returned 500:
  workerd reports "Cannot perform I/O on behalf of a different request". Kysely makes the queries of Better Auth's D1 dialect wait for
  each other, across requests. Without that wait, the error did not occur, but the busy local server reset most connections.
  Dozens at once passed. Delete a few tenants at a time. The run does not delete its tenants: its database is discarded.
- **Password hashes.** Better Auth uses scrypt of \`node:crypto\` where it is available, and a JavaScript version elsewhere, which
  takes longer. Workers have a limit of CPU time for each request. Check that your plan allows for a sign-in.
- **\`limitConcurrency\`** and the queue for password hashes count in one process or isolate. The run sends 60 sign-ins at once to two
  tenants that run one at a time. In workerd, a request that the runtime cancels can keep its place in \`perTenant\` until the isolate ends.
- **The service** (apps/server) is tested on Node.js 24 only.
`;
