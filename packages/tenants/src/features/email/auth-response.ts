/** The response of the engine's sign-in. With a second factor, it only contains `twoFactorRedirect`. */
export type EngineSignIn =
	| { redirect: boolean; url?: string | undefined; token: string; user: Record<string, unknown> }
	| { twoFactorRedirect: true };

const properties = {
	token: {
		type: "string" as const,
		nullable: true,
		description: "The session token, or null if no session was created",
	},
	user: { $ref: "#/components/schemas/User", description: "The user" },
	session: {
		$ref: "#/components/schemas/Session",
		nullable: true,
		description: "The session, or null if none was created",
	},
};

const responseOf = (schema: object) => ({
	"200": {
		description: "The user and, once signed in, the session",
		content: { "application/json": { schema: { type: "object" as const, ...schema } } },
	},
});

/** The OpenAPI responses of sign-up and impersonation. */
export const authResponseOpenAPI = responseOf({ properties, required: ["user"] });

/** The OpenAPI responses of sign-in. With a second factor, there is no user yet. */
export const signInResponseOpenAPI = responseOf({
	properties: {
		...properties,
		redirect: { type: "boolean", description: "Whether the client redirects to `url`" },
		url: { type: "string", description: "`callbackURL`, if the request has one" },
		twoFactorRedirect: {
			type: "boolean",
			description: "True, and nothing else is returned, if the user must enter a second factor",
		},
	},
});
