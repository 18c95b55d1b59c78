import type { Query } from "test-kit/load/invariants";

/** Inserts users with accounts, sessions and open flows into a tenant, as the engine stores them. */
export const fillTenant = async (query: Query, tenantId: string, people: number): Promise<void> => {
	const tag = Buffer.from(tenantId).toString("base64url");
	await query(
		`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "tenantId")
		 select $1 || '-u' || n, 'P', 'p' || n || '@example.com', false, now(), now(), $1 from generate_series(1, $2::int) n`,
		[tenantId, people],
	);
	await query(
		`insert into "account" ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt", "tenantId")
		 select $1 || '-a' || n, $1 || '-u' || n, 'credential', $1 || '-u' || n, 'none', now(), now(), $1 from generate_series(1, $2::int) n`,
		[tenantId, people],
	);
	const [sessions] = await query("select to_regclass('\"session\"') as there");
	if (sessions?.there) {
		await query(
			`insert into "session" ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt", "tenantId")
			 select $1 || '-s' || n, md5($1 || n) || '~' || $3, $1 || '-u' || n, now() + interval '1 day', now(), now(), $1 from generate_series(1, $2::int) n`,
			[tenantId, people, tag],
		);
		await query(
			`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt", "tenantId")
			 select $1 || '-v' || n, 'open-' || n, 'x', now() + interval '1 day', now(), now(), $1 from generate_series(1, $2::int) n`,
			[tenantId, people],
		);
	}
};
