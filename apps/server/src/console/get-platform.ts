import { createAuthEndpoint } from "better-auth/api";
import { guardManagement } from "better-auth-tenants";
import type { PlatformOverview } from "./platform-overview.ts";

/** `GET /tenant/platform`: an overview for operators, of this process and of the database. */
export const getPlatform = (read: () => Promise<PlatformOverview>) =>
	createAuthEndpoint(
		"/tenant/platform",
		{
			method: "GET",
			use: [guardManagement({ action: "platform:get", target: "none", operatorsOnly: true })],
			metadata: { openapi: { operationId: "getPlatform", description: "Get an overview of the service" } },
		},
		async (ctx) => ctx.json(await read()),
	);
