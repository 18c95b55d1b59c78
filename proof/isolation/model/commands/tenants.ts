import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import type { Tenant } from "../beliefs.ts";
import { refusesWith, succeeds, succeedsWith } from "../expectations.ts";
import { textAt, valueAt } from "../http.ts";
import type { Roll } from "../roll.ts";
import { endPerson, hintOf, type Model, newTenant } from "../state.ts";
import type { Plan, Step } from "../step.ts";

const operator = { bearer: MANAGEMENT_KEY };

/** Creates tenants up to the limit; the first at once, the rest while others already work. */
export const wantsTenant = ({ tenants, limits, operations }: Model): boolean =>
	tenants.length - 1 < Math.min(limits.tenants, 4 + Math.floor(operations / 20));

export const createTenant: Plan = (model) => {
	if (!wantsTenant(model)) return null;
	const serial = model.nextSerial();
	const made = newTenant(serial, "", `tenant-${serial}`);
	return {
		name: "tenant.create",
		request: {
			method: "POST",
			path: "/tenant/create",
			body: { name: `${made.canary} name`, slug: made.slug, metadata: { note: `${made.canary} note` } },
			...operator,
		},
		scope: made,
		claims: [],
		alone: true,
		check: succeedsWith("a tenant", (json) => textAt(json, "slug") === made.slug),
		settle: ({ json }) => {
			made.id = textAt(json, "id");
			made.tag = Buffer.from(made.id).toString("base64url");
			model.tenants.push(made);
		},
	};
};

/** The data of a tenant that is still stored. */
export type Leftovers = (tenantId: string) => Promise<string[]>;

export const deleteTenant =
	(leftovers: Leftovers): Plan =>
	(model, roll) => {
		// tenants are created and deleted, but some must remain to be attacked
		if (model.tenants.length - 1 < Math.min(model.limits.tenants, 4)) return null;
		const tenant = model.realTenant(roll);
		if (!tenant) return null;
		return {
			name: "tenant.delete",
			request: { method: "POST", path: "/tenant/delete", body: { tenantId: tenant.id }, ...operator },
			scope: tenant,
			claims: [],
			alone: true,
			check: succeeds,
			settle: () => {
				tenant.alive = false;
				for (const person of [...tenant.people.values()]) endPerson(person);
				model.tenants.splice(model.tenants.indexOf(tenant), 1);
				model.gone.push(tenant);
				if (model.gone.length > 200) model.gone.shift();
			},
			leftovers: () => leftovers(tenant.id),
		};
	};

export const manageTenant: Plan = (model, roll) => {
	const tenant = model.realTenant(roll);
	if (!tenant) return null;
	const about = { scope: tenant, claims: [`tenant ${tenant.serial}`], check: succeedsWith("its own", isOf(tenant)) };
	const get = (query: Record<string, string>): Step => ({
		name: "tenant.get",
		request: { method: "GET", path: "/tenant/get", query, ...operator },
		...about,
	});
	switch (roll.below(4)) {
		case 0:
			return get({ id: tenant.id });
		case 1:
			return get({ slug: tenant.slug });
		case 2: {
			const body = { tenantId: tenant.id, name: `${tenant.canary} name ${roll.below(1000)}` };
			return {
				name: "tenant.update",
				request: { method: "POST", path: "/tenant/update", body, ...operator },
				...about,
			};
		}
		default:
			return {
				name: "tenant.list",
				request: { method: "GET", path: "/tenant/list", query: { limit: "5" }, ...operator },
				scope: "all",
				mayChange: [],
				claims: [],
				check: succeedsWith("a list", (json) => Array.isArray(json)),
			};
	}
};

const isOf = (tenant: Tenant) => (json: unknown) => textAt(json, "id") === tenant.id;

export const manageConfig =
	(addClient: (client: { clientId: string; clientSecret: string; tenantId: string }) => void, issuer: string): Plan =>
	(model, roll) => {
		const tenant = model.realTenant(roll);
		if (!tenant) return null;
		const about = { scope: tenant, claims: [], alone: true };
		const choice = roll.below(4);
		if (choice === 0) {
			return {
				name: "config.list",
				request: { method: "GET", path: "/tenant/oauth-config/list", query: { tenantId: tenant.id }, ...operator },
				...about,
				check: succeedsWith("its configs", (json) => Array.isArray(json) && json.length === (tenant.config ? 1 : 0)),
			};
		}
		if (choice === 1) return deleteConfig(tenant, about);
		const clientId = `${tenant.canary}-client-${roll.below(1000)}`;
		const clientSecret = `${tenant.canary}-secret-0123456789`;
		return {
			name: "config.register",
			request: {
				method: "POST",
				path: "/tenant/oauth-config/register",
				body: { tenantId: tenant.id, providerId: "gitlab", clientId, clientSecret, options: { issuer } },
				...operator,
			},
			...about,
			check: (answer) => (answer.text.includes(clientSecret) ? "returned the client secret" : succeeds(answer)),
			settle: () => {
				addClient({ clientId, clientSecret, tenantId: tenant.id });
				tenant.config = { version: model.operations };
			},
		};
	};

const deleteConfig = (tenant: Tenant, about: Pick<Step, "scope" | "claims" | "alone">): Step => ({
	name: "config.delete",
	request: {
		method: "POST",
		path: "/tenant/oauth-config/delete",
		body: { tenantId: tenant.id, providerId: "gitlab" },
		...operator,
	},
	...about,
	check: tenant.config ? succeeds : refusesWith(404, "OAUTH_CONFIG_NOT_FOUND"),
	settle: () => {
		tenant.config = null;
	},
});

/** The sign-in methods of a tenant, which are public. */
export const readMethods: Plan = (model, roll) => {
	const tenant = model.realTenant(roll);
	return tenant
		? {
				name: "tenant.methods",
				request: { method: "GET", path: "/tenant/methods", query: { tenantId: tenant.id } },
				scope: tenant,
				mayChange: [],
				claims: [],
				check: succeedsWith("no credentials", (json) => valueAt(json, "clientSecret") === undefined),
			}
		: null;
};

/** A caller without permission: unauthenticated, a tenant's user, or a tenant's admin, also for their own tenant. */
export const manageWithoutRight: Plan = (model, roll) => {
	const target = model.realTenant(roll);
	if (!target) return null;
	const session = roll.chance(75)
		? roll.chance(50)
			? model.adminOf(model.anyTenant(roll))
			: model.signedIn(roll)
		: null;
	const caller = session?.tenant ?? model.platform;
	return {
		name: "management.without-right",
		request: {
			...managementCall(target, roll),
			...(session ? (roll.chance(30) ? { bearer: session.token } : { cookies: session.cookies }) : {}),
			...(roll.chance(20) ? { tenant: target.id } : {}),
		},
		scope: caller,
		mayChange: [],
		foreign: caller !== target,
		claims: session ? [`${caller.serial}/${session.person.slot}`] : [],
		check: session
			? refusesWith(403, "TENANT_MANAGEMENT_NOT_ALLOWED")
			: refusesWith(401, "TENANT_MANAGEMENT_UNAUTHORIZED"),
	};
};

const managementCall = (target: Tenant, roll: Roll) => {
	const post = (path: string, body: Record<string, unknown>) => ({ method: "POST" as const, path, body });
	const get = (path: string, query: Record<string, string>) => ({ method: "GET" as const, path, query });
	return roll.oneOf([
		post("/tenant/create", { name: "mine", slug: `mine-${roll.below(1_000_000)}` }),
		get("/tenant/get", { id: target.id }),
		get("/tenant/get", { slug: target.slug }),
		get("/tenant/list", {}),
		post("/tenant/update", { tenantId: target.id, name: "mine" }),
		post("/tenant/delete", { tenantId: target.id }),
		get("/tenant/oauth-config/list", { tenantId: target.id }),
		post("/tenant/oauth-config/delete", { tenantId: target.id, providerId: "gitlab" }),
		post("/tenant/oauth-config/register", {
			tenantId: target.id,
			providerId: "gitlab",
			clientId: "mine",
			clientSecret: "mine-secret",
		}),
	]);
};

/** A deleted tenant is named again, and must look like one that never existed. */
export const nameGoneTenant: Plan = (model, roll) => {
	const tenant = roll.pick(model.gone);
	if (!tenant) return null;
	const slot = roll.below(6);
	return {
		name: "gone.sign-up",
		request: {
			method: "POST",
			path: roll.oneOf(["/tenant/sign-up/email", "/sign-up/email"]),
			tenant: hintOf(tenant),
			body: { name: "late", email: `person${slot}@shared.example`, password: "password-late-0" },
		},
		scope: tenant,
		mayChange: [],
		foreign: true,
		claims: [],
		check: refusesWith(404, "TENANT_NOT_FOUND"),
	};
};
