import type { Walk } from "../../journey.ts";
import { PASSWORD, type Tenant } from "../../world.ts";
import { type Call, pathOf } from "./calls.ts";
import { findUncalled } from "./source-endpoints.ts";

/** What an operator sees of Acme. Equal before and after, if the neighbor changed nothing. */
const stateOf = async ({ read, acme }: Walk["world"]): Promise<string> => {
	const paths = ["user/list", "invitation/list", "oauth-config/list", "policy/get", "branding", "get"];
	return JSON.stringify(await Promise.all(paths.map((path) => read(`/tenant/${path}?tenantId=${acme.id}`))));
};

/** Endpoints that say nothing about another tenant, whoever calls them. */
const HARMLESS: Record<string, string> = {
	"/tenant/methods": "what every sign-in page shows",
	"/tenant/console": "about the session of the caller, on the host of the request",
	"/tenant/second-factor": "about the session of the caller",
	"/tenant/second-factor/challenge": "about the session of the caller",
};

/** The endpoints of pages that only operators have, so the owner of Acme never calls them. */
const OPERATORS: Record<string, (acme: Tenant, userId: string) => object | null> = {
	"/tenant/list": () => null,
	"/tenant/platform": () => null,
	"/tenant/create": () => ({ name: "Taken", slug: "taken" }),
	"/tenant/update": ({ id }) => ({ tenantId: id, name: "Taken" }),
	"/tenant/suspend": ({ id }) => ({ tenantId: id, reason: "taken" }),
	"/tenant/archive": ({ id }) => ({ tenantId: id, reason: "taken" }),
	"/tenant/restore": ({ id }) => ({ tenantId: id }),
	"/tenant/delete": ({ id }) => ({ tenantId: id }),
	"/tenant/impersonate": ({ id }, userId) => ({ tenantId: id, userId, reason: "taken" }),
};

/** An admin of Globex repeats every call about Acme with their own session, on both hosts. All of them are refused. */
export const repeatAsNeighbor = async ({ world, wrong }: Walk, calls: Map<string, Call>): Promise<void> => {
	const { acme, globex, call, operate, read } = world;
	const email = "nora@globex.example";
	await operate("/tenant/user/create", {
		tenantId: globex.id,
		email,
		name: "Nora Neighbor",
		role: "admin",
		password: PASSWORD,
	});
	const { cookie } = await world.signIn(globex, email);
	const own = await call(globex, `/tenant/user/list?tenantId=${globex.id}`, { headers: { cookie } });
	if (!own.ok) wrong(`the admin of Globex is not one: ${own.status}`);

	const before = await stateOf(world);
	const [victim] = (await read(`/tenant/user/list?tenantId=${acme.id}`)) as [{ id: string }];
	const ofOperators = Object.entries(OPERATORS).map(([path, bodyFor]): Call => {
		const body = bodyFor(acme, victim.id);
		return { method: body ? "POST" : "GET", path, body: body && JSON.stringify(body) };
	});
	const ofOwner = [...calls.values()].filter(
		(one) => !Object.hasOwn(HARMLESS, pathOf(one)) && (one.path.includes(acme.id) || one.body?.includes(acme.id)),
	);
	const about = [...ofOwner, ...ofOperators];
	for (const { method, path, body } of about)
		for (const host of [globex, acme]) {
			const answer = await call(host, path, {
				headers: { cookie },
				...(method === "POST" && body ? { body: JSON.parse(body) as object } : {}),
			});
			// a 404 would mean that the endpoint looked for what the call names, and some of it is gone
			if ([401, 403].includes(answer.status)) continue;
			// some reads follow the host, whatever the query says: the neighbor then sees their own tenant
			const own = await call(globex, path.replaceAll(acme.id, globex.id), { headers: { cookie } });
			const [seen, expected] = [await answer.text(), await own.text()];
			if (method !== "GET" || host === acme || seen !== expected || seen.includes(acme.id))
				wrong(`${method} ${path} for Acme returns ${answer.status} to an admin of Globex`);
		}
	if ((await stateOf(world)) !== before) wrong("an admin of Globex changed something of Acme");
	const paths = new Set(about.map((one) => `${one.method} ${pathOf(one)}`));
	console.log(`  ${about.length} calls to ${paths.size} endpoints repeated by an admin of the neighbor`);
	const isHarmless = (path: string): boolean => Object.hasOwn(HARMLESS, path);
	for (const endpoint of findUncalled(about, isHarmless))
		wrong(`the console calls ${endpoint}, which the neighbor did not repeat`);
};
