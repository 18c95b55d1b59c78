/** What the engine's sign-in answers; `session` is ours. A second factor answers `twoFactorRedirect` alone. */
export type SignInAnswer =
	| { redirect: boolean; url?: string | undefined; token: string; user: Record<string, unknown> }
	| { twoFactorRedirect: true };

/** The OpenAPI description of both sign-up's and sign-in's answer. */
export const authAnswerOpenAPI = {
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
							description: "The session token; null when no session was made",
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
