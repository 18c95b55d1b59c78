import pg from "pg";
import { linkIn } from "test-kit/servers/smtp";
import type { startPages, Tenant } from "./pages-world.ts";

type World = Awaited<ReturnType<typeof startPages>>;

/** The link of the last invitation to an address. */
export const linkFor = async (world: World, tenant: Tenant, email: string) => {
	const url = new URL(linkIn(await world.smtp.mailTo(email, new RegExp(`^Invitation.*${tenant.slug}`))));
	return {
		url,
		token: url.searchParams.get("token") ?? "",
		/** where it leads, below the tenant's host or path */
		path: `${tenant.base}/accept-invitation${url.search}`,
	};
};

/** Invites by an operator, and reads the mail. */
export const inviteTo = async (world: World, tenant: Tenant, email: string, role = "member") => {
	const body = { tenantId: tenant.id, email, role };
	const { status, id } = await world.operate("/tenant/invitation/create", body);
	if (status !== 200) throw new Error(`not invited: ${status}`);
	return { id: String(id), ...(await linkFor(world, tenant, email)) };
};

/** The users of a tenant, with their roles. */
export const usersOf = async (world: World, { id }: Tenant): Promise<string[]> => {
	const rows = await query(world, 'select email, role from "user" where "tenantId" = $1 order by email', [id]);
	return rows.map(({ email, role }) => `${email} ${role}`);
};

export const query = async ({ world }: World, text: string, values: unknown[]): Promise<Record<string, unknown>[]> => {
	const client = new pg.Client({ connectionString: world.database.url });
	await client.connect();
	try {
		return (await client.query<Record<string, unknown>>(text, values)).rows;
	} finally {
		await client.end();
	}
};
