import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { configShape, ok, signedInShape, tenantShape } from "./expect.ts";
import { type Answer, type Ask, type Browser, type Open, openBrowser } from "./http.ts";

/** One deployment under test, with the means to manage it. */
export type Place = {
	base: string;
	origin: string;
	/** The name of the header that carries a tenant id here. */
	tenantHeader: string;
	/** A client with the management key. */
	operator: Browser;
	/** The same without cookies of other checks. */
	newOperator(): Browser;
	/** A client without cookies, and with these headers. */
	visitor(standing?: Record<string, string>): Browser;
	/** Opens a client of another base URL. */
	open: Open;
};

type PlaceOptions = { tenantHeader?: string | undefined; open?: Open };

export const placeAt = (
	base: string,
	managementKey: string,
	{ tenantHeader = "x-tenant-id", open = openBrowser }: PlaceOptions = {},
): Place => {
	const newOperator = () => open(base, { authorization: `Bearer ${managementKey}` });
	return {
		base,
		origin: new URL(base).origin,
		tenantHeader,
		operator: newOperator(),
		newOperator,
		visitor: (standing) => open(base, standing),
		open,
	};
};

export type Tenant = { id: string; name: string; slug: string };
export type Person = { name: string; email: string; password: string };

export const random = () => randomBytes(6).toString("hex");

/** All slugs of a run have the same prefix, so that a shared deployment can be cleaned up. */
const run = `c-${random()}-`;

export const newSlug = () => run + random();

export const newPerson = (): Person => {
	const id = random();
	return { name: `Person ${id}`, email: `person-${id}@example.com`, password: `password-${random()}` };
};

export const createTenant = async (place: Place, fields: Record<string, unknown> = {}) => {
	const slug = newSlug();
	const body = { name: `Tenant ${slug}`, slug, ...fields };
	return ok(await askCreateTenant(place, body), tenantShape);
};

/** Two tenants, because one would hide every leak. */
export const twoTenants = (place: Place) => Promise.all([createTenant(place), createTenant(place)]);

/** Whether the database counts ids. Such an id is short and occurs in other texts. */
export const hasSerialId = ({ id }: { id: string }) => /^\d+$/.test(id);

export const getTenant = (place: Place, query: Record<string, string>) => place.operator.get("/tenant/get", { query });

export const askCreateTenant = (place: Place, body: Record<string, unknown>) =>
	place.operator.post("/tenant/create", { body });

export const askUpdateTenant = (place: Place, body: Record<string, unknown>) =>
	place.operator.post("/tenant/update", { body });

export const storedTenant = async (place: Place, tenant: Tenant) =>
	ok(await getTenant(place, { id: tenant.id }), tenantShape);

/** A value of every JSON type. */
export const anyMetadata = {
	plan: "pro",
	seats: 12,
	ratio: 0.5,
	active: true,
	nothing: null,
	list: [1, "two", { three: 3 }],
	nested: { deeper: { text: 'żółć 漢字 "quoted" \\ back' } },
};

export const deleteTenant = (place: Place, tenant: Tenant) =>
	place.operator.post("/tenant/delete", { body: { tenantId: tenant.id } });

/** Signs up in a tenant; `fields` replace or remove (undefined) fields of the body. */
export const askSignUp = (browser: Browser, tenant: Tenant, person: Person, fields: Record<string, unknown> = {}) =>
	browser.post("/tenant/sign-up/email", { body: { tenantId: tenant.id, ...person, ...fields } });

export const askSignIn = (browser: Browser, tenant: Tenant, person: Person, fields: Record<string, unknown> = {}) => {
	const { email, password } = person;
	return browser.post("/tenant/sign-in/email", { body: { tenantId: tenant.id, email, password, ...fields } });
};

/** A signed-in user of a tenant. */
export const newMember = async (place: Place, tenant: Tenant, person = newPerson()) => {
	const browser = place.visitor();
	const { user } = ok(await askSignUp(browser, tenant, person), signedInShape);
	return { browser, person, user };
};

/** The session of a browser as Better Auth sees it; null if there is none. */
export const sessionOf = async (browser: Browser, ask: Ask = {}) =>
	ok(await browser.get("/get-session", ask), signedInShape.nullable());

export const newCredentials = () => ({ clientId: `client-${random()}`, clientSecret: `secret-${random()}${random()}` });

export const askRegister = (place: Place, tenant: Tenant, fields: Record<string, unknown>): Promise<Answer> =>
	place.operator.post("/tenant/oauth-config/register", { body: { tenantId: tenant.id, ...fields } });

/** Registers new credentials, by default for a provider that needs only id and secret. */
export const registerConfig = async (place: Place, tenant: Tenant, fields: Record<string, unknown> = {}) => {
	const credentials = newCredentials();
	const answer = await askRegister(place, tenant, { providerId: "github", ...credentials, ...fields });
	return { ...credentials, answer, config: ok(answer, configShape) };
};

export const listConfigs = async (place: Place, tenant: Tenant) =>
	ok(await place.operator.get("/tenant/oauth-config/list", { query: { tenantId: tenant.id } }), configShape.array());

export const onlyConfig = async (place: Place, tenant: Tenant) => {
	const configs = await listConfigs(place, tenant);
	assert.equal(configs.length, 1);
	return configs[0] ?? assert.fail();
};

export const deleteConfig = (place: Place, tenant: Tenant, providerId: string) =>
	place.operator.post("/tenant/oauth-config/delete", { body: { tenantId: tenant.id, providerId } });

/** All tenants of the deployment, page by page. */
export const everyTenant = async (place: Place) => {
	const tenants = [];
	for (let next: string | undefined = `${place.base}/tenant/list?limit=1000`; next; ) {
		const answer: Answer = await place.operator.visit(next);
		tenants.push(...ok(answer, tenantShape.array()));
		next = nextPage(answer, place.base);
	}
	return tenants;
};

export const nextPage = (answer: Answer, base: string): string | undefined => {
	const address = /<([^>]+)>\s*;\s*rel="?next"?/.exec(answer.headers.get("link") ?? "")?.[1];
	return address && new URL(address, base).href;
};

/** Deletes the tenants that this run created. */
export const sweep = async (place: Place) => {
	const mine = (await everyTenant(place)).filter((tenant) => tenant.slug.startsWith(run));
	await Promise.all(mine.map((tenant) => deleteTenant(place, tenant)));
};
