import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import { againstBarePlots } from "./plot.ts";
import type { AgainstBareResult, MeasuredFlow } from "./result.ts";

export const documentAgainstBare = (run: Run<AgainstBareResult> | null): string => `## Against the engine alone

One process, one PostgreSQL, one load: the engine alone and the engine with \`tenantAuth()\` take turns, volley by volley of about a tenth of
a second, and the volleys of a round are added up. Each has a thread, and so a heap, of its own: in a shared one, each side clears away what the
other left. Requests go to the engine's handler without a server in between, and PostgreSQL does not wait for its disk, so
that nothing hides what the plugin costs. Passwords are hashed cheaply but in the first row. Statements are counted, not reckoned:
"cold" is a request in a tenant that no cache knows.
${run ? figures(run) : ""}
${verdict(run && { ...run, lines: [] }, "pnpm bench --part against-bare --full")}
`;

const figures = (run: Run<AgainstBareResult>): string => `
${table(
	[
		"",
		"requests a second alone",
		"with tenants",
		"of the engine's speed",
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

Medians of ${run.result.rounds} rounds, with their quarters.

${againstBarePlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

### Where the rest goes

The engine (1.7) builds its router anew for each request, from every endpoint of every plugin. The same requests were therefore sent to the
engine with a plugin that has the same endpoints and does nothing else; what that alone leaves of the speed is the upper
bound of what this plugin can reach there, as far as the noise of the rounds lets one see it:

${table(
	["", "with the endpoints alone", "with tenants"],
	run.result.flows.map((flow) => [flow.name, spread(flow.compared.endpoints.ratio), ratio(flow)]),
)}

What remains is, in the order of its size: for \`/tenant/sign-in/*\`, which hand on to the engine's own endpoints with all their hooks, a second
dispatch with its contexts; the condition on the tenant in each statement and the columns that each row has more; the
tables of the plugin, which the engine (1.7) computes anew for each transaction; the request's tenant being decided; and the wrappers around
the database. What was tried and helped: hooks that only read do without the engine's own way to write one, which builds three contexts each
time (\`src/engine/hook.ts\`, [decision 16](decisions/0016-hooks-read-by-themselves.md)); where a hook has nothing to do it is not called; tags
of tokens are decoded once; a consumed OAuth state is not deleted a second time; a request that is handed on keeps its scope; the providers of a tenant
are built once; one wrapper around each statement in place of two. What was tried and given up: looking where a form comes from only where it is one (the
tests ask for more), and a mark on the tenant that spares the look for its credentials (restored rows without the mark would be passed over for the
application's own credentials). So a social sign-in in a tenant that no cache knows takes two statements more, not one: for the tenant, and for its
credentials.
`;

const ratio = (flow: MeasuredFlow): string => {
	const shown = spread(flow.compared.tenants.ratio);
	return flow.compared.tenants.ratio.median < flow.goal ? `**${shown}**` : shown;
};

const spread = ({ median, low, high }: Spread): string =>
	`${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
