import type { Call } from "./send.ts";
import type { Side } from "./side.ts";

/** One way in which something of one tenant reached another. */
export type Leak = {
	/** `POST /notes/read` */
	endpoint: string;
	/** who called, and with what */
	how: string;
	/** what happened */
	what: string;
	/** the call, with names in the place of ids: they differ in every run */
	replay: string;
};

export type IsolationReport = {
	/** how many endpoints (and methods of them) there are to attack */
	endpoints: number;
	/** requests that were sent */
	calls: number;
	/** endpoints that served their own tenant, so that the attacks on them mean something */
	reached: string[];
	/** endpoints that were attacked but never served anybody: what they do on success was not seen */
	notExercised: { endpoint: string; why: string }[];
	/** tables in which no side has a row: whether they are kept apart was not seen */
	emptyTables: string[];
	/** not called, because you said so */
	skipped: string[];
	leaks: Leak[];
};

/** The report for people. */
export const formatReport = ({
	endpoints,
	calls,
	reached,
	notExercised,
	emptyTables,
	skipped,
	leaks,
}: IsolationReport): string =>
	[
		`${endpoints} endpoints, ${calls} calls; ${reached.length} served their own tenant and were attacked`,
		...(notExercised.length > 0 ? [`not exercised (${notExercised.length}), give \`inputs\` for them:`] : []),
		...notExercised.map(({ endpoint, why }) => `  - ${endpoint} (${why})`),
		...(emptyTables.length > 0
			? [`tables that stayed empty, fill them in \`prepare\`: ${emptyTables.join(", ")}`]
			: []),
		...(skipped.length > 0 ? [`skipped (${skipped.length}):`] : []),
		...skipped.map((endpoint) => `  - ${endpoint}`),
		leaks.length === 0 ? "no leaks" : formatLeaks(leaks),
	].join("\n");

export const formatLeaks = (leaks: Leak[]): string =>
	[
		`${leaks.length} ${leaks.length === 1 ? "leak" : "leaks"} between tenants:`,
		...leaks.map(
			({ endpoint, how, what, replay }, index) =>
				`\n${index + 1}. ${endpoint} ${what}\n   how: ${how}\n   replay: ${replay}`,
		),
	].join("\n");

/** The call as one would type it, with `<B user.id>` in the place of what is random. */
export const replayOf = ({ endpoint, input, headers, hint }: Call, sides: Side[]): string => {
	const query = new URLSearchParams(
		Object.entries(input.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
	);
	const path = (endpoint.path ?? `auth.api.${endpoint.name}`).replaceAll(
		/:(\w+)/g,
		(_, name: string) => input.params?.[name] ?? name,
	);
	const whose = sides.find(({ people }) => people.some((person) => person.headers === headers));
	const parts = [
		`curl -X ${endpoint.method} '${path}${query.size > 0 ? `?${decodeURIComponent(query.toString())}` : ""}'`,
		...(whose ? [`-H 'cookie: <session of ${whose.label}>'`] : []),
		...(hint ? [`-H 'x-tenant-id: ${hint.tenantId}'`] : []),
		...(input.body && Object.keys(input.body).length > 0 ? [`-d '${JSON.stringify(input.body)}'`] : []),
	];
	return nameValues(parts.join(" "), sides);
};

/** Puts names in the place of ids, tokens and tenants. */
export const nameValues = (text: string, sides: Side[]): string => {
	const names = new Map<string, string>();
	for (const { label, tenantId, rows, people } of sides) {
		for (const { password } of people) names.set(password, `<${label} password>`);
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
