import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { FIELD_SIZES } from "../../engine/field-sizes.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import type { Tables } from "../../scope/data/tables.ts";
import { positive } from "../limits/option-values.ts";
import { tooLong } from "./too-long.ts";

/** Keys, names and everything else that has an index: MySQL stores it in varchar(255). */
const KEY = 255;
/** Text without an index, such as a URL or a user agent. */
const TEXT = 2_048;
/** Lists and JSON, as JSON text. */
const JSON_TEXT = 16_384;

/** This package's own tables. Sealed values are longer than what was sent. */
const OWN_SIZES: typeof FIELD_SIZES = {
	tenant: { metadata: 16_384 },
	tenantOauthConfig: { clientId: 8_192, clientSecret: 32_768, options: 65_536, scopes: 16_384 },
	tenantPolicy: { rules: 65_536 },
};

type Row = Record<string, unknown>;
export type GivenSizes = Record<string, Record<string, number>>;
export type FieldBounds = ReturnType<typeof readFieldBounds>;

/**
 * The most characters of every field of every table, from the schema. So a field of another plugin, or of a later version of
 * the engine, has a bound as well.
 */
export const readFieldBounds = (schema: BetterAuthDBSchema, tables: Tables, given: GivenSizes = {}) => {
	const byTable = new Map<string, Readonly<Record<string, number>>>(
		Object.entries(schema).map(([key, { fields, indexes = [] }]) => {
			const indexed = new Set(indexes.flatMap((index) => index.fields));
			const bounds = Object.entries(fields).map(([field, attributes]): [string, number] => [
				field,
				defaultOf(attributes, indexed.has(field)),
			]);
			return [key, { ...Object.fromEntries(bounds), ...FIELD_SIZES[key], ...OWN_SIZES[key] }];
		}),
	);
	// with verifications or sessions in the storage only, the schema does not have their tables
	for (const [key, sizes] of Object.entries(FIELD_SIZES)) if (!byTable.has(key)) byTable.set(key, sizes);
	for (const [key, sizes] of Object.entries(given))
		for (const [field, most] of Object.entries(sizes)) {
			const known = byTable.get(key);
			if (known?.[field] === undefined)
				throw new BetterAuthError(
					`tenantAuth: limits.fields has ${JSON.stringify(`${key}.${field}`)}, but the schema has no such field. Use the names of Better Auth's schema, for example { user: { image: 16_384 } }.`,
				);
			byTable.set(key, { ...known, [field]: positive(`limits.fields.${key}.${field}`, most) });
		}
	// ids, and fields that the schema does not have
	const boundOf = (key: string, field: string): number => byTable.get(key)?.[field] ?? KEY;
	const assertField = (key: string, field: string, value: unknown): void => {
		const most = boundOf(key, field);
		if (lengthOf(value, most) > most) throw tooLong(field, most);
		assertPicture(key, field, value);
	};

	return {
		boundOf,
		/** The most characters of a row with all its fields. */
		rowOf: (key: string): number => Object.values(byTable.get(key) ?? {}).reduce((sum, most) => sum + most, KEY),
		/** Throws if a value is longer than its field. */
		assertFields: (key: string, row: Row): void => {
			for (const field in row) assertField(key, field, row[field]);
		},
		/** The same for a row of the database, by any name of the table. The engine drops fields that the schema does not have. */
		assertRow: (model: string, row: Row): void => {
			const { key } = tables(model);
			const known = byTable.get(key);
			for (const field in row) if (field === "id" || known?.[field] !== undefined) assertField(key, field, row[field]);
		},
	};
};

const defaultOf = ({ type, unique, index, sortable, references }: DBFieldAttribute, isIndexed: boolean): number => {
	if (type === "json" || type === "string[]" || type === "number[]") return JSON_TEXT;
	// a list of the allowed values, or a number, a boolean or a date
	if (type !== "string") return KEY;
	return unique || index || sortable || references || isIndexed ? KEY : TEXT;
};

/** The length as it is stored. Lists and objects are stored as JSON. */
const lengthOf = (value: unknown, most: number): number => {
	if (typeof value === "string") return value.length;
	if (typeof value !== "object" || value === null || value instanceof Date) return 0;
	// JSON.stringify throws if an object contains itself, or too many levels
	try {
		return JSON.stringify(value)?.length ?? 0;
	} catch {
		return most + 1;
	}
};

/** Fields with the URL of a picture, which applications show to other users. */
const PICTURES: Readonly<Record<string, string>> = { user: "image", organization: "logo" };

/** Schemes that run something. Browsers ignore spaces and control characters before and inside of a scheme. */
const RUNS = /^(?:javascript:|vbscript:|data:(?!image\/))/i;

/** Throws if a picture is a URL that runs a script where an application links to it. */
const assertPicture = (key: string, field: string, value: unknown): void => {
	if (PICTURES[key] !== field || typeof value !== "string") return;
	if (RUNS.test(withoutBlanks(value.slice(0, 256))))
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
};

const withoutBlanks = (text: string): string => [...text].filter((one) => one > " " && one !== "\u007f").join("");
