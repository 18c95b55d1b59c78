import { Browser } from "test-kit/browser";
import { crowdTenantId, crowdUserId } from "test-kit/crowd";
import { type Engine, PASSWORD } from "../stage/engine.ts";
import { PROVIDER } from "./fill.ts";

type Person = { tenantId: string; email: string; cookie: string };

/** The sampled users. The same number in every size, so that caches are equally warm. */
export type Sample = {
	/** from the largest to the smallest */
	tenants: string[];
	/** the same number from each of these tenants */
	people: Person[];
	/** from the whole database, so that each tenant has its share by size */
	anybody: Person[];
	/** the start of the last full page of tenants that has a next page */
	deepCursor: string;
};

/** The smallest size has no more, and all are used. */
export const SAMPLED_TENANTS = 10;
export const PEOPLE_A_TENANT = 10;
/** So few that even in the smallest size a deep page is full and has a next one. */
export const PAGE = 5;

/** Chooses tenants and users, signs the users in, and gives the tenants valid credentials. */
export const takeSample = async (
	engine: Engine,
	{ tenants, users }: { tenants: number; users: number },
): Promise<Sample> => {
	const ask = async <Row extends object>(sql: string): Promise<Row[]> => (await engine.pool.query<Row>(sql)).rows;
	const signIn = async (tenantId: string, email: string): Promise<Person> => {
		const browser = new Browser();
		await engine.call("/tenant/sign-in/email", { browser, body: { tenantId, email, password: PASSWORD } });
		return { tenantId, email, cookie: browser.header() };
	};

	const chosen: string[] = [];
	const people: Person[] = [];
	for (const rank of ranks(tenants)) {
		const [tenant] = await ask<{ id: string }>(`select id from tenant where id = ${crowdTenantId(rank)}`);
		if (!tenant) throw new Error(`There is no tenant of rank ${rank}`);
		chosen.push(tenant.id);
		await engine.call("/tenant/oauth-config/register", { operator: true, body: { ...PROVIDER, tenantId: tenant.id } });
		const found = await ask<{ email: string }>(
			`select email from "user" where "tenantId" = '${tenant.id}' order by id limit ${PEOPLE_A_TENANT}`,
		);
		for (const { email } of found) people.push(await signIn(tenant.id, email));
		// the smallest tenants have almost no users
		for (let number = found.length; number < PEOPLE_A_TENANT; number += 1) {
			const email = `newcomer-${number}@example.com`;
			people.push({ tenantId: tenant.id, email, cookie: await engine.signUp(email, tenant.id) });
		}
	}

	const numbers = people.map((_, at) => 1 + Math.floor((at * users) / people.length));
	const drawn = await ask<{ tenantId: string; email: string }>(
		`select "tenantId", email from "user" where id in (${numbers.map(crowdUserId).join(", ")})`,
	);
	const anybody: Person[] = [];
	for (const { tenantId, email } of drawn) anybody.push(await signIn(tenantId, email));

	const [last] = await ask<{ id: string; createdAt: Date }>(
		`select id, "createdAt" from tenant order by "createdAt", id offset ${PAGE + 1} limit 1`,
	);
	if (!last) throw new Error(`${tenants} tenants do not fill two pages`);
	const deepCursor = btoa(`${new Date(last.createdAt).getTime()}.${last.id}`);
	return { tenants: chosen, people, anybody, deepCursor };
};

/**
 * Ranks from the largest to the smallest tenant in steps of one ratio, so that large and small ones are equally
 * frequent.
 */
const ranks = (tenants: number): number[] => {
	const chosen: number[] = [];
	for (let step = 0; step < SAMPLED_TENANTS; step += 1)
		chosen.push(Math.max((chosen.at(-1) ?? 0) + 1, Math.round(tenants ** (step / (SAMPLED_TENANTS - 1)))));
	return chosen;
};
