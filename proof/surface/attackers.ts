import type { Browser } from "test-kit/browser";
import type { Method } from "./engine.ts";
import type { Input, Row } from "./row.ts";
import type { Side } from "./side.ts";

export type Sent = { input: Input; headers?: Record<string, string> | undefined };

/**
 * The caller of a side's endpoint: its admin, in the browser that started a social sign-in, or the one the row names.
 */
export const callerOf = (side: Side, { caller }: Row): Browser => {
	if (caller) return caller(side);
	const both = side.flow.copy();
	for (const [name, value] of side.boss.browser.cookies) both.cookies.set(name, value);
	return both;
};

/** A request that a user of this side sends. */
export const ownRequest = (row: Row, side: Side, method: Method): Sent => ({
	input: row.input(side, side.person, method),
	headers: row.headers?.(side),
});

/** Removes duplicate requests. */
const distinct = <Made>(made: Made[]): Made[] => [
	...new Map(made.map((request) => [JSON.stringify(request), request])).values(),
];

/** Values of another tenant: of the user that all tenants share, and of one that only it has. */
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

/** An own request with one of the other tenant's names or credentials in it, and the reverse. */
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

/** A browser may be signed in to several tenants. These are the cookies of the inactive sessions. */
export const withOtherSessions = ({ endsDevice }: Row, active: Browser, other: Browser): Browser => {
	const both = active.copy();
	if (!endsDevice) for (const [name, value] of other.cookies) if (isOtherSession(name)) both.cookies.set(name, value);
	return both;
};

/** Whether a cookie has a session that is not the active one. */
export const isOtherSession = (name: string): boolean => name.includes("_multi-");
