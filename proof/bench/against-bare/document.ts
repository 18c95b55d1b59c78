import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import { againstBarePlots } from "./plot.ts";
import type { AgainstBareResult, MeasuredFlow } from "./result.ts";

export const documentAgainstBare = (run: Run<AgainstBareResult> | null): string => `## Compared with Better Auth alone

Better Auth alone, and Better Auth with \`tenantAuth()\` and \`createTenantHandler\`, take turns in one process, with one PostgreSQL and the same
load. Each turn takes about a tenth of a second, and the turns of a round are added up. Each side has its own thread and heap, so that neither pays for the other's garbage
collection. Requests go directly to the handler, without a server, and PostgreSQL does not wait for its disk, so that nothing hides the
cost of the plugin. Passwords are hashed with a cheap hash, except in the first row. Statements are counted. "cold" is a request in a
tenant that is not cached. Responses that wait, so that their time does not tell whether an account exists, are measured without the wait.
In the row of the tenant's host, the host alone names the tenant, and both sides follow it with \`baseURL.allowedHosts\`.
${run ? figures(run) : ""}
${verdict(run && { ...run, lines: [] }, "pnpm bench --part against-bare --full")}
`;

const figures = (run: Run<AgainstBareResult>): string => `
${table(
	[
		"Flow",
		"requests per second alone",
		"with tenants",
		"relative speed",
		"goal",
		"statements alone",
		"with tenants",
		"cold",
	],
	run.result.flows.map((flow) => [
		flow.name,
		Math.round(flow.compared.bare.speed.median),
		Math.round(flow.compared.tenants.speed.median),
		ratio(flow),
		flow.goal.toFixed(2),
		flow.statements.warm.bare,
		flow.statements.warm.tenants,
		flow.statements.cold,
	]),
)}

Medians of ${run.result.rounds} rounds, with their quartiles.

${againstBarePlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

### Remaining overhead

Better Auth 1.7 rebuilds its router for each request from the endpoints of all plugins, and \`createTenantHandler\` builds it once. For
comparison, the same requests were also sent to Better Auth's own handler with a plugin that has the same endpoints and does nothing
else:

${table(
	["Flow", "with the endpoints only", "with tenants"],
	run.result.flows.map((flow) => [flow.name, spread(flow.compared.endpoints.ratio), ratio(flow)]),
)}

The remaining overhead, largest first:

- A second dispatch with its contexts for \`/tenant/sign-in/*\`, which call Better Auth's endpoints with all their hooks.
- The tenant condition in each statement, and the additional columns of each row.
- The plugin's tables, which Better Auth 1.7 computes again for each transaction.
- The decision on the request's tenant.
- The wrappers around the database.

These changes reduced it:

- \`createTenantHandler\` builds the router once ([decision 26](decisions/0026-the-router-is-built-once.md)).
- Sign-in, sign-up and callback endpoints have no middleware that does nothing, and check forms without three more contexts
  (\`src/engine/lean-endpoint.ts\`).
- The response of a provider is read at once, not through a second stream.
- Hooks that only read do not use Better Auth's hook helper, which builds three contexts each time (\`src/engine/hook.ts\`,
  [decision 16](decisions/0016-hooks-read-by-themselves.md)).
- A hook with nothing to do is not called.
- Tags of tokens are decoded once.
- A consumed OAuth state is not deleted a second time.
- A delegated request keeps its scope.
- The providers of a tenant are built once.
- Each statement has one wrapper instead of two.

Two ideas were rejected. Checking a form's origin only for forms fails the tests. A flag on the tenant that skips the lookup of its credentials
would be missing on restored rows, which would then use the application's credentials. So a social sign-in in a tenant that is not
cached takes two more statements: one for the tenant and one for its credentials.
`;

const ratio = (flow: MeasuredFlow): string => {
	const shown = spread(flow.compared.tenants.ratio);
	return flow.compared.tenants.ratio.median < flow.goal ? `**${shown}**` : shown;
};

const spread = ({ median, low, high }: Spread): string =>
	`${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
