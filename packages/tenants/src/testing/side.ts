import type { Row } from "./database.ts";

/** The input of a call. */
export type Input = {
	body?: Record<string, unknown>;
	query?: Record<string, unknown>;
	params?: Record<string, string>;
};

export type Person = {
	userId: string;
	email: string;
	password: string;
	/** the user's headers: a cookie or a bearer token */
	headers: Record<string, string>;
	/** the user's session token, if known */
	token: string | undefined;
};

/** One tenant or the platform, with its users and rows. */
export type Side = {
	label: "A" | "B" | "platform";
	tenantId: string;
	slug: string;
	/** Part of every text of this side. No other side may ever receive it. */
	canary: string;
	/** Two users. The first one makes the calls. All sides use the same emails. */
	people: Person[];
	/** The rows of this side, by table. */
	rows: Record<string, Row[]>;
};

/** The user who makes the calls. */
export const callerOf = (side: Side): Person => {
	const [first] = side.people;
	if (!first) throw new Error(`assertTenantIsolation: no user signed up in ${side.label}`);
	return first;
};
