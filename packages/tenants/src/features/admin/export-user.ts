import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { getCurrentAdapter } from "@better-auth/core/context";
import * as z from "zod";
import { ALL, oneOf, type Row } from "../move/moving-rows.ts";
import { userTablesOf } from "../move/user-tables.ts";
import { actOnUser } from "./act-on-user.ts";
import { isExported } from "./exported-fields.ts";
import { guardUsers, userInput } from "./guard.ts";

/** Returns what is stored about a user, by table. Contains no tokens, hashes or secrets. */
export const exportTenantUser = () =>
	createAuthEndpoint(
		"/tenant/user/export",
		{
			method: "GET",
			query: z.object(userInput),
			use: [guardUsers("user:export-data", "query")],
			metadata: {
				openapi: {
					operationId: "exportTenantUser",
					description: "Export the data of one user of a tenant",
					responses: {
						"200": {
							description: "The rows of the user, by table",
							content: {
								"application/json": {
									schema: {
										type: "object" as const,
										properties: { tables: { type: "object" as const, description: "Rows by table" } },
										required: ["tables"],
									},
								},
							},
						},
					},
				},
			},
		},
		async (ctx) => {
			const { userId } = ctx.query;
			const tables = await actOnUser(ctx, { userId, onSelf: true }, ({ id }) => findRows(ctx, id));
			return ctx.json({ tables });
		},
	);

const findRows = async (ctx: GenericEndpointContext, userId: string): Promise<Record<string, Row[]>> => {
	const adapter = await getCurrentAdapter(ctx.context.adapter);
	const found: Record<string, Row[]> = {};
	for (const { key, links } of userTablesOf(ctx)) {
		const rows = new Map<string, Row>();
		const fields = key === "user" ? ["id"] : links.filter(({ model }) => model === "user").map(({ field }) => field);
		for (const field of fields)
			for (const row of await adapter.findMany<Row>({ model: key, where: [oneOf(field, [userId])], limit: ALL }))
				rows.set(row.id, row);
		if (rows.size > 0) found[key] = [...rows.values()].map((row) => withoutSecrets(ctx, key, row));
	}
	return found;
};

const withoutSecrets = ({ context }: GenericEndpointContext, table: string, row: Row): Row => {
	const kept = Object.entries(row).filter(([name]) => isExported(context, table, name));
	return Object.fromEntries(kept) as Row;
};
