import type { Input, Side } from "./side.ts";

/** What betterAuth() answers, as far as it is attacked. */
export type TestedAuth = {
	handler: (request: Request) => Promise<Response>;
	api: object;
	/** read once the engine has started */
	$context: Promise<object>;
};

export type NewPerson = {
	/** the tenant to sign up in; `PLATFORM` for the platform */
	tenantId: string;
	email: string;
	name: string;
	password: string;
};

/** The person who signed up, and what his browser sends from then on. */
export type SignedUp = { userId: string } & ({ cookie: string } | { headers: Headers | Record<string, string> });

export type IsolationOptions = {
	/** Signs one person up and in, where `POST /sign-up/email` alone does not (a captcha, magic links only, …). */
	signUp?: (person: NewPerson) => Promise<SignedUp>;
	/**
	 * Called for each side once its people are there: make rows, give roles, mark what you store outside of the engine
	 * with `side.canary`. Without it, a table nobody fills through an endpoint gets one made-up row.
	 */
	prepare?: (side: Side) => Promise<void>;
	/** What to send to an endpoint (by path) whose input cannot be guessed, made of what `side` owns. */
	inputs?: Record<string, (side: Side) => Input>;
	/** Names the tenant in a request, where your `resolveTenantId` reads something else than the tenant header. */
	address?: (request: Request, side: Pick<Side, "tenantId" | "slug">) => Request;
	/** Paths that are not called at all; the report lists them. */
	skip?: string[];
	/** Attack these paths alone, while you work on them; the report lists all others as skipped. */
	only?: string[];
	/** Display names of the two tenants. */
	tenants?: [string, string];
	/**
	 * Attack a database that holds tenants or people already. Every row of it is read after every call, and attacks that
	 * succeed change it.
	 * @default false
	 */
	allowFilledDatabase?: boolean;
	/**
	 * Delete the two tenants and the platform's people afterwards. Takes the plugin's `deletion.gracePeriod` (20 s by
	 * default; set it to 0 in tests).
	 * @default true
	 */
	cleanup?: boolean;
	/**
	 * Seconds that one call may take.
	 * @default 10
	 */
	timeout?: number;
	/** Gets the report as text, line by line. `console.log`, for instance. */
	log?: (line: string) => void;
};
