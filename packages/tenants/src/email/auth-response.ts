/** The response of the engine's sign-in. With a second factor, it only contains `twoFactorRedirect`. */
export type EngineSignIn =
	| { redirect: boolean; url?: string | undefined; token: string; user: Record<string, unknown> }
	| { twoFactorRedirect: true };

/** The OpenAPI responses of sign-up and sign-in. */
export const authResponseOpenAPI = {
	"200": {
		description: "The user and, once signed in, the session",
		content: {
			"application/json": {
				schema: {
					type: "object" as const,
					properties: {
						token: {
							type: "string" as const,
							nullable: true,
							description: "The session token, or null if no session was created",
						},
						user: { $ref: "#/components/schemas/User" },
						session: { $ref: "#/components/schemas/Session", nullable: true },
					},
					required: ["user"],
				},
			},
		},
	},
};
