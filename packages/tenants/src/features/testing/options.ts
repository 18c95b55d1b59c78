import type { TenantIsolationInput, TenantIsolationSide } from "./side.ts";

/**
 * The part of the result of `betterAuth()` that the test attacks.
 *
 * @example
 * ```ts
 * const auth: TenantIsolationAuth = betterAuth({ plugins: withTenants({}, [organization()]) });
 * ```
 */
export type TenantIsolationAuth = {
	/** Handles the requests of the attacks. */
	handler: (request: Request) => Promise<Response>;
	/** The endpoints to attack. */
	api: object;
	/** The context of Better Auth, read after it started. */
	$context: Promise<object>;
};

/**
 * A user that `signUp` signs up.
 *
 * @example
 * ```ts
 * const signUp = async ({ tenantId, email }: TenantIsolationNewUser) => signUpByMagicLink(tenantId, email);
 * ```
 */
export type TenantIsolationNewUser = {
	/** The tenant to sign up in, or `PLATFORM`. */
	tenantId: string;
	/** The email. Users of different tenants share it. */
	email: string;
	/** The display name. */
	name: string;
	/** The password. */
	password: string;
};

/**
 * A user who signed up, with the credential that their browser sends from then on.
 *
 * @example
 * ```ts
 * const signedUp: TenantIsolationSignedUpUser = { userId, cookie: "better-auth.session_token=…" };
 * ```
 */
export type TenantIsolationSignedUpUser = {
	/** The id of the user. */
	userId: string;
} & (
	| {
			/** The `cookie` header of a signed-in request. */
			cookie: string;
	  }
	| {
			/** The headers of a signed-in request, such as a bearer token. */
			headers: Headers | Record<string, string>;
	  }
);

/**
 * Options of `assertTenantIsolation` and `findTenantLeaks`.
 *
 * @example
 * ```ts
 * await assertTenantIsolation(auth, {
 * 	skip: ["/admin/remove-user"],
 * 	inputs: { "/notes/read": (side) => ({ query: { id: side.rows.note?.[0]?.id } }) },
 * });
 * ```
 */
export type TenantIsolationOptions = {
	/**
	 * Signs a user up and in. Set it if users cannot sign in with email and password, for example because of a captcha or magic
	 * links. If a policy closes the sign-up, the test creates its users as server code does, without this option.
	 * @default signs up with email and password
	 */
	signUp?: (user: TenantIsolationNewUser) => Promise<TenantIsolationSignedUpUser>;
	/**
	 * Called for each side after its users signed up. Create rows, assign roles, and put `side.canary` into what you store
	 * outside Better Auth. Without it, a table that no endpoint fills gets one made-up row.
	 * @default undefined
	 */
	prepare?: (side: TenantIsolationSide) => Promise<void>;
	/**
	 * Inputs for endpoints, by path, whose input cannot be guessed. Build them from what `side` owns.
	 * @default {}
	 */
	inputs?: Record<string, (side: TenantIsolationSide) => TenantIsolationInput>;
	/**
	 * Names the tenant in a request. Set it if your `resolveTenantId` reads something else than the tenant header.
	 * @default sets the tenant header
	 */
	address?: (request: Request, side: Pick<TenantIsolationSide, "tenantId" | "slug">) => Request;
	/**
	 * Paths that are not called. The report lists them.
	 * @default []
	 */
	skip?: string[];
	/**
	 * Attacks only these paths, while you work on them. The report lists all others as skipped.
	 * @default all paths
	 */
	only?: string[];
	/**
	 * Display names of the two tenants.
	 * @default ["A", "B"]
	 */
	tenants?: [string, string];
	/**
	 * Attacks a database that already contains tenants or users. All its rows are read after every call, and attacks that
	 * succeed change it.
	 * @default false
	 */
	allowFilledDatabase?: boolean;
	/**
	 * Deletes the two tenants and the platform's users afterwards. Does not wait for `deletion.drainTime`.
	 * @default true
	 */
	cleanup?: boolean;
	/**
	 * Time limit of one call in seconds.
	 * @default 10
	 */
	timeout?: number;
	/**
	 * Receives progress every few seconds, and the report at the end, line by line. `false` for silence. By default, progress is
	 * one line that changes if the output is a terminal.
	 * @default console.info
	 */
	log?: ((line: string) => void) | false;
	/**
	 * Also prints what Better Auth logs during the calls. Most of it is about attacks that failed, as they should.
	 * @default false
	 */
	verbose?: boolean;
};
