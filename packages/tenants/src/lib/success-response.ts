/** The OpenAPI responses of an endpoint that returns nothing else than its success. */
export const successOpenAPI = (description: string) => ({
	"200": {
		description,
		content: {
			"application/json": {
				schema: {
					type: "object" as const,
					properties: { success: { type: "boolean" as const, description: "Always true" } },
					required: ["success"],
				},
			},
		},
	},
});
