import { redirect } from "@sveltejs/kit";
import { addressOf, auth } from "../lib/server/auth.ts";
import { listUsers } from "../lib/server/users.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ locals: { tenant, session } }) => {
	if (!tenant) return { user: null, users: [], tenants: await listTenants() };
	if (!session) redirect(303, "/sign-in");
	const { name, email } = session.user;
	return { user: { name, email }, users: await listUsers(session.session.tenantId), tenants: [] };
};

/** For the platform's page: every tenant, and in the demo its users. */
const listTenants = async () => {
	const tenants = (await auth.api.listTenants()).sort((one, other) => one.name.localeCompare(other.name));
	return Promise.all(
		tenants.map(async ({ id, name, slug, metadata }) => ({
			name,
			url: addressOf(slug),
			hue: Number(metadata?.hue ?? 0),
			users: process.env.DEMO_OVERVIEW === "true" ? await listUsers(id) : [],
		})),
	);
};
