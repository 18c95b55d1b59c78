import type { Call } from "./send.ts";
import type { TenantIsolationSide } from "./side.ts";

/**
 * One way in which data of one tenant reached another, or one tenant changed another.
 *
 * @example
 * ```ts
 * const describeLeak = ({ endpoint, what }: TenantIsolationLeak) => `${endpoint} ${what}`;
 * ```
 */
export type TenantIsolationLeak = {
	/** The endpoint, such as `POST /notes/read`. */
	endpoint: string;
	/** Who called it, and with what. */
	how: string;
	/** What happened. */
	what: string;
	/** The call, with names instead of ids, because ids differ in every run. */
	replay: string;
	/** What Better Auth logged during a call that returned 5xx. Else empty. */
	logged: string[];
};

/**
 * What was attacked, what was not, and what leaked.
 *
 * @example
 * ```ts
 * const { leaks, notExercised }: TenantIsolationReport = await findTenantLeaks(auth);
 * ```
 */
export type TenantIsolationReport = {
	/** How many endpoints and methods there are to attack. */
	endpoints: number;
	/** How many requests were sent. */
	calls: number;
	/** Endpoints that succeeded for their own tenant, so that the attacks on them prove something. */
	reached: string[];
	/** Endpoints that were attacked but never succeeded, with the reason. Give `inputs` for them. */
	notExercised: { endpoint: string; why: string }[];
	/** Tables in which no side has a row, so that their isolation was not tested. */
	emptyTables: string[];
	/** Endpoints that were not called because of `skip` or `only`. */
	skipped: string[];
	/**
	 * Attacks on endpoints that served their own tenant which got no verdict: no response in `timeout`, 429, 503, or the attacker's own
	 * request stopped working. `assertTenantIsolation` throws if there are any.
	 */
	notJudged: { endpoint: string; how: string; why: string }[];
	/** The leaks. Empty if the tenants are isolated. */
	leaks: TenantIsolationLeak[];
};

/** With `only`, nearly everything is skipped, and a list of it would hide the rest of the report. */
const MOST_LISTED = 20;

/** Formats the report as text. */
export const formatReport = ({
	endpoints,
	calls,
	reached,
	notExercised,
	emptyTables,
	skipped,
	notJudged,
	leaks,
}: TenantIsolationReport): string =>
	[
		`${endpoints} endpoints, ${calls} calls; ${reached.length} served their own tenant and were attacked`,
		...(notExercised.length > 0 ? [`not exercised (${notExercised.length}), give \`inputs\` for them:`] : []),
		...notExercised.map(({ endpoint, why }) => `  - ${endpoint} (${why})`),
		...(emptyTables.length > 0
			? [`tables that stayed empty, fill them in \`prepare\`: ${emptyTables.join(", ")}`]
			: []),
		...(skipped.length > 0 ? [`skipped (${skipped.length})${skipped.length > MOST_LISTED ? "" : ":"}`] : []),
		...(skipped.length > MOST_LISTED ? [] : skipped.map((endpoint) => `  - ${endpoint}`)),
		...(notJudged.length > 0 ? [formatNotJudged(notJudged)] : []),
		leaks.length === 0 ? `no leaks${notJudged.length > 0 ? " in what was judged" : ""}` : formatLeaks(leaks),
	].join("\n");

/** Names the attacks that got no verdict, and what to do. */
export const formatNotJudged = (notJudged: TenantIsolationReport["notJudged"]): string =>
	[
		`${notJudged.length} ${notJudged.length === 1 ? "attack" : "attacks"} could not be judged. Run the test on a machine that is less busy, raise \`timeout\`, or fix what keeps the endpoint from working:`,
		...notJudged.slice(0, MOST_LISTED).map(({ endpoint, how, why }) => `  - ${endpoint}, ${how}: ${why}`),
		...(notJudged.length > MOST_LISTED ? [`  - and ${notJudged.length - MOST_LISTED} more`] : []),
	].join("\n");

export const formatLeaks = (leaks: TenantIsolationLeak[]): string =>
	[
		`${leaks.length} ${leaks.length === 1 ? "leak" : "leaks"} between tenants:`,
		...leaks.map(
			({ endpoint, how, what, replay, logged }, index) =>
				`\n${index + 1}. ${endpoint} ${what}\n   how: ${how}\n   replay: ${replay}${logged.map((line) => `\n   logged: ${line}`).join("")}`,
		),
	].join("\n");

/** The call as one would type it, with `<B user.id>` in the place of what is random. */
export const replayOf = ({ endpoint, input, headers, hint }: Call, sides: TenantIsolationSide[]): string => {
	const query = new URLSearchParams(
		Object.entries(input.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
	);
	const path = (endpoint.path ?? `auth.api.${endpoint.name}`).replaceAll(
		/:(\w+)/g,
		(_, name: string) => input.params?.[name] ?? name,
	);
	const whose = sides.find(({ users }) => users.some((user) => user.headers === headers));
	const parts = [
		`curl -X ${endpoint.method} '${path}${query.size > 0 ? `?${decodeURIComponent(query.toString())}` : ""}'`,
		...(whose ? [`-H 'cookie: <session of ${whose.label}>'`] : []),
		...(hint ? [`-H 'x-tenant-id: ${hint.tenantId}'`] : []),
		...(input.body && Object.keys(input.body).length > 0 ? [`-d '${JSON.stringify(input.body)}'`] : []),
	];
	return nameValues(parts.join(" "), sides);
};

/** Puts names in the place of ids, tokens and tenants. */
export const nameValues = (text: string, sides: TenantIsolationSide[]): string => {
	const names = new Map<string, string>();
	for (const { label, tenantId, rows, users, tokens } of sides) {
		for (const { password } of users) names.set(password, `<${label} password>`);
		for (const { purpose, value } of tokens) names.set(value, `<${label} ${purpose}>`);
		for (const [table, found] of Object.entries(rows)) {
			for (const row of found) {
				for (const column of Object.keys(row)) {
					const cell = row[column];
					if (typeof cell === "string" && cell.length >= 8 && /^id$|token|identifier/i.test(column))
						names.set(cell, `<${label} ${table}.${column}>`);
				}
			}
		}
		if (label !== "platform") names.set(tenantId, label);
	}
	let named = text;
	for (const [value, name] of [...names].sort(([one], [other]) => other.length - one.length))
		named = named.replaceAll(value, name);
	return named;
};
