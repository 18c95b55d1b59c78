import { callerOf, ownRequest } from "../attackers.ts";
import type { Furnished, Step } from "../furnished.ts";
import { touchedTables } from "../statements.ts";
import { createStoredState } from "../stored-state.ts";
import { findStored, type Stored } from "./stored-text.ts";
import { type Place, textFieldsOf, withText } from "./text-fields.ts";

/** The longest text that a field of an endpoint accepts, and where it is stored. */
export type Largest = {
	endpoint: string;
	field: string;
	/** who may send it: somebody without any credential, a user, or a program with its key */
	caller: "stranger" | "user" | "program";
	accepted: number;
	stored: Stored[];
};

/** More than any field may have, then less. */
const LENGTHS = [600_000, 262_144, 65_536, 32_768, 16_384, 8_192, 2_048, 1_024, 255, 128];
const SHORTEST = 40;

type Make = (length: number) => string;
const text: Make = (length) => "z".repeat(length);
const email: Make = (length) => `${text(length - 12)}@example.com`;
const path: Make = (length) => `/${text(length - 1)}`;
const link: Make = (length) => `https://example.com/${text(length - 20)}`;

/** Forms of a text that a field may expect, by its name. */
const formsOf = (place: Place): Make[] => {
	const name = String(place.findLast((part) => typeof part === "string"));
	if (/mail/i.test(name)) return [email];
	return /ur[il]s?$|redirect|image|logo|picture|icon/i.test(name) ? [path, link] : [text];
};

type Tried = { stored: Stored[] } | null;

/**
 * Sends every endpoint of the surface a text in each of its fields. For those that are stored, finds the longest text that is
 * accepted. With `exact`, to the character.
 */
export const findLargestValues = async (
	{ world, sideA, steps, hintFor }: Furnished,
	{ exact = false } = {},
): Promise<{ fields: number; largest: Largest[] }> => {
	const state = await createStoredState(world);
	const apis = Object.values(world.auth.api) as unknown as Parameters<typeof textFieldsOf>[0][] & { path?: string }[];
	let fields = 0;

	const send = async ({ path, method, row }: Step, body: unknown, stranger: boolean): Promise<Tried> => {
		const { input, headers } = ownRequest(row, sideA, method);
		const address = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? name));
		world.database.statements.length = 0;
		const answer = await world.call(address, {
			method,
			body,
			...(headers ? { headers } : {}),
			...(input.query ? { query: input.query } : {}),
			browser: stranger ? undefined : callerOf(sideA, row).copy(),
			tenant: stranger ? sideA.tenantId : hintFor(row),
		});
		const isAccepted = answer.status < 400 && !/[?&]error=/.test(answer.headers.get("location") ?? "");
		const wrote = touchedTables(world.database.statements).writes.length > 0;
		// reading costs more than a call
		if (!isAccepted && !wrote) return null;
		const after = await state.read({ wrote });
		const stored = await findStored(state.base, after, world.redis);
		if (Object.keys(state.base).some((name) => after[name] !== state.base[name])) await state.restore(after);
		return isAccepted || stored.length > 0 ? { stored } : null;
	};

	const longest = async (step: Step, place: Place, body: unknown, stranger: boolean): Promise<Largest | null> => {
		for (const make of formsOf(place)) {
			const attempt = (length: number): Promise<Tried> => send(step, withText(body, place, make(length)), stranger);
			const first = await attempt(SHORTEST);
			if (!first || first.stored.length === 0) continue;
			let [accepted, refused, tried] = [SHORTEST, 0, first];
			for (const length of LENGTHS) {
				const next = await attempt(length);
				if (next) {
					[accepted, tried] = [length, next];
					break;
				}
				refused = length;
			}
			while (exact && refused - accepted > 1) {
				const middle = Math.floor((accepted + refused) / 2);
				const next = await attempt(middle);
				if (next) [accepted, tried] = [middle, next];
				else refused = middle;
			}
			const endpoint = `${step.method} ${step.path}`;
			const caller = !stranger ? "user" : step.row.headers ? "program" : "stranger";
			return { endpoint, field: place.join("."), caller, accepted, stored: tried.stored };
		}
		return null;
	};

	const largest: Largest[] = [];
	for (const step of steps) {
		if (step.method === "GET" || step.method === "DELETE") continue;
		const { input } = ownRequest(step.row, sideA, step.method);
		if (input.form || typeof input.body === "string") continue;
		const endpoint = apis.find((api) => Reflect.get(api, "path") === step.path);
		if (!endpoint) continue;
		for (const place of textFieldsOf(endpoint, input.body)) {
			fields += 1;
			const found = (await longest(step, place, input.body, true)) ?? (await longest(step, place, input.body, false));
			if (found) largest.push(found);
		}
	}
	return { fields, largest };
};
