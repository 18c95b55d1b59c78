const text = { type: "string" as const };
const date = { type: "string" as const, format: "date-time" };

/** The OpenAPI schema of an exported or imported user. */
export const userOpenAPI = {
	type: "object" as const,
	properties: {
		id: { ...text, description: "Kept by an import. Without it, the user gets a new id" },
		email: { ...text, description: "Email address" },
		emailVerified: { type: "boolean" as const, description: "Whether the email is verified. Default: false" },
		name: { ...text, description: "Display name" },
		image: { ...text, nullable: true, description: "Profile image URL" },
		createdAt: { ...date, description: "When the user signed up" },
		updatedAt: { ...date, description: "When the user was last changed" },
		accounts: {
			type: "array" as const,
			description: "The accounts to sign in with, and the password hash",
			items: {
				type: "object" as const,
				properties: {
					providerId: { ...text, description: "A provider, or `credential` for the password" },
					accountId: {
						...text,
						description: "The user's id at the provider. An import does not need it for `credential`",
					},
					password: { ...text, description: "The password hash. For `credential` only" },
				},
				required: ["providerId"],
			},
		},
		twoFactorEnabled: { type: "boolean" as const, description: "An import rejects users with a second factor" },
		banned: { type: "boolean" as const, description: "An import rejects banned users" },
	},
	required: ["email", "name"],
};
