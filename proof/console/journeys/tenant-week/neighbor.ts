import type { Walk } from "../../journey.ts";
import { PASSWORD } from "../../world.ts";
import type { Call } from "./calls.ts";

/** What an operator sees of Acme. Equal before and after, if the neighbor changed nothing. */
const stateOf = async ({ read, acme }: Walk["world"]): Promise<string> => {
	const paths = ["user/list", "invitation/list", "oauth-config/list", "policy", "branding", "get"];
	return JSON.stringify(await Promise.all(paths.map((path) => read(`/tenant/${path}?tenantId=${acme.id}`))));
};

/** Says nothing about a tenant that its sign-in page does not say. */
const isPublic = ({ path }: Call): boolean => path.startsWith("/tenant/methods");

/** An admin of Globex repeats every call about Acme with their own session, on both hosts. All of them are refused. */
export const repeatAsNeighbor = async ({ world, wrong }: Walk, calls: Map<string, Call>): Promise<void> => {
	const { acme, globex, call, operate } = world;
	const email = "nora@globex.example";
	await operate("/tenant/user/create", {
		tenantId: globex.id,
		email,
		name: "Nora Neighbor",
		role: "admin",
		password: PASSWORD,
	});
	const signedIn = await call(globex, "/sign-in/email", { body: { email, password: PASSWORD } });
	const cookie = signedIn.headers
		.getSetCookie()
		.map((header) => header.split(";", 1)[0])
		.join("; ");
	const own = await call(globex, `/tenant/user/list?tenantId=${globex.id}`, { headers: { cookie } });
	if (!own.ok) wrong(`the admin of Globex is not one: ${own.status}`);

	const before = await stateOf(world);
	const about = [...calls.values()].filter(
		(one) => !isPublic(one) && (one.path.includes(acme.id) || one.body?.includes(acme.id)),
	);
	for (const { method, path, body } of about)
		for (const host of [globex, acme]) {
			const answer = await call(host, path, {
				headers: { cookie },
				...(method === "POST" && body ? { body: JSON.parse(body) as object } : {}),
			});
			if ([401, 403, 404].includes(answer.status)) continue;
			// some reads follow the host, whatever the query says: the neighbor then sees their own tenant
			const own = await call(globex, path.replaceAll(acme.id, globex.id), { headers: { cookie } });
			const [seen, expected] = [await answer.text(), await own.text()];
			if (method !== "GET" || host === acme || seen !== expected || seen.includes(acme.id))
				wrong(`${method} ${path} for Acme returns ${answer.status} to an admin of Globex`);
		}
	if ((await stateOf(world)) !== before) wrong("an admin of Globex changed something of Acme");
	const paths = new Set(about.map(({ method, path }) => `${method} ${path.split("?", 1)[0]}`));
	console.log(`  ${about.length} calls to ${paths.size} endpoints repeated by an admin of the neighbor`);
	if (paths.size < 20) wrong(`only ${paths.size} endpoints were called for Acme`);
};
