const text = { type: "string" as const };
const date = { type: "string" as const, format: "date-time" };

/** The OpenAPI description of a line, as it is exported and imported. */
export const userOpenAPI = {
	type: "object" as const,
	properties: {
		id: { ...text, description: "Kept by an import; without one the user gets a new id" },
		email: text,
		emailVerified: { type: "boolean" as const },
		name: text,
		image: { ...text, nullable: true },
		createdAt: date,
		updatedAt: date,
		accounts: {
			type: "array" as const,
			items: {
				type: "object" as const,
				properties: {
					providerId: { ...text, description: "A provider, or `credential` for the password" },
					accountId: { ...text, description: "The id at the provider; an import needs none for `credential`" },
					password: { ...text, description: "The password's hash; for `credential` alone" },
				},
				required: ["providerId"],
			},
		},
		twoFactorEnabled: { type: "boolean" as const, description: "An import refuses users with a second factor" },
		banned: { type: "boolean" as const, description: "An import refuses banned users" },
	},
	required: ["email", "name"],
};
