import { type Engine, PASSWORD } from "../stage/engine.ts";
import type { Act } from "../stage/rounds.ts";
import { PROVIDER } from "./fill.ts";
import { PAGE, type Sample } from "./sample.ts";

/** One database with its engines. */
export type Stage = {
	engine: Engine;
	/** the same without a tenant cache: every request looks its tenant up */
	forgetful: Engine;
	sample: Sample;
};

/** The measured operations by name. Each is one request and throws unless the response is the expected one. */
export const operationsOn = ({ engine, forgetful, sample }: Stage): Map<string, Act> => {
	const personAt = (number: number) => at(sample.people, number);
	const tenantAt = (number: number) => at(sample.tenants, number);
	const look = async (by: Engine, { email, cookie }: { email: string; cookie: string }): Promise<void> => {
		const { text } = await by.call("/get-session", { cookie });
		assertSays(text, email);
	};
	const list = async (cursor: string | null): Promise<void> => {
		const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { cursor }) });
		const { text } = await engine.call(`/tenant/list?${query}`, { operator: true });
		const { length } = JSON.parse(text) as unknown[];
		if (length !== PAGE) throw new Error(`A page of ${PAGE} tenants had ${length}`);
	};
	return new Map<string, Act>([
		[
			"sign-in",
			async (number) => {
				const { tenantId, email } = personAt(number);
				const body = { tenantId, email, password: PASSWORD };
				assertSays((await engine.call("/tenant/sign-in/email", { body })).text, email);
			},
		],
		["get-session", (number) => look(engine, personAt(number))],
		["get-session, tenant looked up", (number) => look(forgetful, at(sample.anybody, number))],
		[
			"social start",
			async (number) => {
				const body = { tenantId: tenantAt(number), provider: PROVIDER.providerId, callbackURL: "/home" };
				assertSays((await engine.call("/tenant/sign-in/social", { body })).text, PROVIDER.clientId);
			},
		],
		[
			"tenant get",
			async (number) => {
				const id = tenantAt(number);
				assertSays((await engine.call(`/tenant/get?id=${id}`, { operator: true })).text, id);
			},
		],
		["tenant list, first page", () => list(null)],
		["tenant list, deep page", () => list(sample.deepCursor)],
		[
			"OAuth config list",
			async (number) => {
				const path = `/tenant/oauth-config/list?tenantId=${tenantAt(number)}`;
				assertSays((await engine.call(path, { operator: true })).text, PROVIDER.clientId);
			},
		],
	]);
};

const at = <Item>(items: Item[], number: number): Item => {
	const item = items[number % items.length];
	if (item === undefined) throw new Error("There is no user");
	return item;
};

const assertSays = (text: string, expected: string): void => {
	if (!text.includes(expected)) throw new Error(`The response does not contain ${expected}: ${text.slice(0, 200)}`);
};
