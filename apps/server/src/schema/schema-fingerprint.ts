import { createHash } from "node:crypto";
import type { Migratable } from "./migratable.ts";

/** Identifies the tables that this version and configuration expects. Equal for processes that need the same schema. */
export const schemaFingerprint = async (auth: Migratable): Promise<string> => {
	const { tables } = await auth.$context;
	const described = Object.values(tables)
		.map(({ modelName, fields, indexes }) => [
			modelName,
			Object.entries(fields)
				.map(([field, { fieldName, type, required, unique, index, references }]) => [
					fieldName ?? field,
					type,
					required !== false,
					unique === true,
					index === true,
					references ? [references.model, references.field, references.onDelete ?? null] : null,
				])
				.sort(byJson),
			(indexes ?? []).map(({ fields: columns, unique }) => [columns, unique === true]).sort(byJson),
		])
		.sort(byJson);
	return createHash("sha256").update(JSON.stringify(described)).digest("hex").slice(0, 12);
};

const byJson = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
