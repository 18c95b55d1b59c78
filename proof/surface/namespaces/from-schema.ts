import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { BetterAuthPlugin } from "better-auth";
import type { Row } from "../row.ts";

/** Every unique field and unique index of every table. */
export const uniqueFields = (tables: BetterAuthDBSchema): string[] =>
	Object.entries(tables).flatMap(([key, { fields, indexes }]) => [
		...Object.entries(fields).flatMap(([name, { unique }]) => (unique ? [`unique ${key}.${name}`] : [])),
		...(indexes ?? []).flatMap((index) => (index.unique ? [`unique ${key}(${index.fields.join(", ")})`] : [])),
	]);

/** Every path that has a parameter. */
export const pathParameters = (endpoints: { path: string | undefined }[]): string[] =>
	endpoints.flatMap(({ path }) => (path?.includes(":") ? [`path ${path}`] : []));

/** Every endpoint that finds its tenant by a value in the request. */
export const carriedValues = (surface: Record<string, Row>): string[] =>
	Object.entries(surface).flatMap(([path, { kind, carriesCredential }]) =>
		carriesCredential || kind === "link" || kind === "callback" ? [`carried ${path}`] : [],
	);

/** Plugins that see requests before routing, and may serve their own URLs. */
export const requestHooks = (plugins: readonly BetterAuthPlugin[]): string[] =>
	plugins.flatMap(({ id, onRequest }) => (onRequest ? [`request hook ${id}`] : []));
