import type { Row } from "./database.ts";

/** What is sent to an endpoint. */
export type Input = {
	body?: Record<string, unknown>;
	query?: Record<string, unknown>;
	params?: Record<string, string>;
};

export type Person = {
	userId: string;
	email: string;
	password: string;
	/** what his browser sends: a cookie, or a bearer token */
	headers: Record<string, string>;
	/** his session's token, where it could be learned */
	token: string | undefined;
};

/** One tenant, or the platform, with what it owns. */
export type Side = {
	label: "A" | "B" | "platform";
	tenantId: string;
	slug: string;
	/** In every text of this side. Nobody else may ever be told it. */
	canary: string;
	/** Two of them; the first one calls. All sides share their e-mails. */
	people: Person[];
	/** What it owns, by table. */
	rows: Record<string, Row[]>;
};

/** The person who calls. */
export const callerOf = (side: Side): Person => {
	const [first] = side.people;
	if (!first) throw new Error(`assertTenantIsolation: nobody signed up in ${side.label}`);
	return first;
};
