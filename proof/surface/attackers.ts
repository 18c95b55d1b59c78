import type { Browser } from "test-kit/browser";
import type { Method } from "./engine.ts";
import type { Input, Row } from "./row.ts";
import type { Side } from "./side.ts";

export type Sent = { input: Input; headers?: Record<string, string> | undefined };

/** Who calls a side's endpoint: its admin, in the browser that began a social sign-in, or whom the row names. */
export const callerOf = (side: Side, { caller }: Row): Browser => {
	if (caller) return caller(side);
	const both = side.flow.copy();
	for (const [name, value] of side.boss.browser.cookies) both.cookies.set(name, value);
	return both;
};

/** What somebody of this side sends himself. */
export const ownRequest = (row: Row, side: Side, method: Method): Sent => ({
	input: row.input(side, side.person, method),
	headers: row.headers?.(side),
});

/** Each request once, whatever it was made of. */
const distinct = <Made>(made: Made[]): Made[] => [
	...new Map(made.map((request) => [JSON.stringify(request), request])).values(),
];

/** What can be said of a neighbour: of the person all tenants share, and of one that only he has. */
export const foreignRequests = (row: Row, sides: Side[], method: Method): (Sent & { side: Side })[] => {
	const found = new Map<string, Sent & { side: Side }>();
	for (const side of sides) {
		for (const named of [side.person, side.ownPerson]) {
			const sent = { input: row.input(side, named, method), headers: row.headers?.(side) };
			found.set(JSON.stringify(sent), { ...sent, side });
		}
	}
	return [...found.values()];
};

const NAMES = [
	"boss",
	"member",
	"organizationId",
	"memberId",
	"teamId",
	"roleId",
	"passkey",
	"apiKey",
	"oauth",
	"stripe",
	"scim",
	"sso",
] as const;

/** One's own request with one of the neighbour's names or credentials in it, and the neighbour's with one of one's own. */
export const mixedRequests = (row: Row, own: Side, other: Side, method: Method): Sent[] => {
	const pure = [own, other].map((side) => JSON.stringify(ownRequest(row, side, method)));
	const mixed = NAMES.flatMap((name): Sent[] => [
		{ ...ownRequest(row, own, method), input: row.input({ ...own, [name]: other[name] }, own.person, method) },
		{ ...ownRequest(row, other, method), input: row.input({ ...other, [name]: own[name] }, other.person, method) },
	]);
	const credentials: Sent[] = row.headers
		? [
				{ input: row.input(own, own.person, method), headers: row.headers(other) },
				{ input: row.input(other, other.person, method), headers: row.headers(own) },
			]
		: [];
	return distinct([...mixed, ...credentials]).filter((sent) => !pure.includes(JSON.stringify(sent)));
};

/** One browser may be signed in to several tenants; these are the cookies of the sessions that are not active. */
export const otherSessions = (active: Browser, other: Browser): Browser => {
	const both = active.copy();
	for (const [name, value] of other.cookies) if (name.includes("_multi-")) both.cookies.set(name, value);
	return both;
};
