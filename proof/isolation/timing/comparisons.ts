import type { Database } from "test-kit/run-database";
import type { Asked, Client } from "./client.ts";

/** One kind of request; the number makes each request new. */
export type Ask = (n: number) => Asked;

/** Requests whose responses must not reveal which one was sent. Each is compared with the last. */
export type Comparison = {
	name: string;
	asks: Record<string, Ask>;
	/** why the responses differ on purpose; then only the time is compared, without a limit */
	differs?: string;
	/** responds after at least half a second, so that several can be sent at once */
	waits?: boolean;
};

const PASSWORD = "correct horse battery";
const KNOWN = 20;

/** Creates tenants, users and requests; `most` limits how often each request can be sent. */
export const prepareComparisons = async (client: Client, database: Database, most: number): Promise<Comparison[]> => {
	const tenant = async (name: string): Promise<string> => {
		const { status, text } = await client.ask({
			path: "/tenant/create",
			operator: true,
			body: { name, slug: `timing-${name}` },
		});
		if (status !== 200) throw new Error(`timing: no tenant: ${status} ${text}`);
		return JSON.parse(text).id;
	};
	const [here, elsewhere, gone] = [await tenant("here"), await tenant("elsewhere"), await tenant("gone")];
	const plain = await tenant("plain");
	const signUp = (tenantId: string, email: string, more: object = {}): Asked => ({
		path: "/tenant/sign-up/email",
		body: { tenantId, name: "Ada", email, password: PASSWORD, ...more },
	});
	const known = (n: number): string => `known-${n % KNOWN}@example.com`;
	const foreign = (n: number): string => `known-elsewhere-${n % KNOWN}@example.com`;
	let last = 0;
	const unknown = (): string => `absent-${++last}@example.com`;
	// a sign-up uses up an address, so each can be sent once
	let taken = 0;
	const takenElsewhere = (): string => `taken-elsewhere-${++taken}@example.com`;
	for (let n = 0; n < KNOWN; n += 1) {
		await client.ask(signUp(here, known(n), { username: `known_${n}` }));
		await client.ask(signUp(elsewhere, foreign(n)));
	}
	await database.query(
		`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "tenantId")
		select 'timing-' || n, 'Ada', 'taken-elsewhere-' || n || '@example.com', true, now(), now(), $1 from generate_series(1, $2::int) n`,
		[elsewhere, most],
	);
	await database.query(`update "user" set "emailVerified" = true`);
	const config = (tenantId: string, providerId: string, enabled = true): Asked => ({
		path: "/tenant/oauth-config/register",
		operator: true,
		body: { tenantId, providerId, clientId: "client", clientSecret: "secret", enabled },
	});
	for (const asked of [config(elsewhere, "github"), config(here, "twitch", false)]) await client.ask(asked);
	await client.ask({ path: "/tenant/delete", operator: true, body: { tenantId: gone } });

	const signIn =
		(email: (n: number) => string, tenantId: (n: number) => string = () => here): Ask =>
		(n) => ({
			path: "/tenant/sign-in/email",
			body: { tenantId: tenantId(n), email: email(n), password: "not the password" },
		});
	const core =
		(path: string, field: string, value: (n: number) => string, more: object = {}): Ask =>
		(n) => ({ path, tenant: here, body: { [field]: value(n), ...more } });
	const social =
		(provider: string, tenantId: (n: number) => string = () => here): Ask =>
		(n) => ({ path: "/tenant/sign-in/social", body: { tenantId: tenantId(n), provider } });
	const methods =
		(tenantId: (n: number) => string): Ask =>
		(n) => ({ path: `/tenant/methods?tenantId=${tenantId(n)}` });
	const absent = (n: number): string => `absent${String(n).padStart(26, "0")}`;

	const addresses = (ask: (email: (n: number) => string) => Ask): Record<string, Ask> => ({
		"known e-mail": ask(known),
		"known in another tenant": ask(foreign),
		"known nowhere": ask(unknown),
	});
	return [
		{ name: "sign-in", asks: addresses((email) => signIn(email)) },
		{
			name: "sign-in, the engine's",
			asks: addresses((email) => core("/sign-in/email", "email", email, { password: "not it, no" })),
		},
		{
			name: "sign-up",
			asks: {
				"taken e-mail": (n) => signUp(here, known(n)),
				"taken in another tenant": () => signUp(here, takenElsewhere()),
				"taken nowhere": () => signUp(here, unknown()),
			},
			waits: true,
		},
		{ name: "reset", asks: addresses((email) => core("/request-password-reset", "email", email)) },
		{
			name: "e-mail OTP",
			asks: addresses((email) => core("/email-otp/send-verification-otp", "email", email, { type: "forget-password" })),
			waits: true,
		},
		{
			name: "verification mail",
			asks: addresses((email) => core("/send-verification-email", "email", email)),
			waits: true,
		},
		{
			name: "username",
			asks: {
				"known user's wrong password": core("/sign-in/username", "username", (n) => `known_${n % KNOWN}`, {
					password: "not it, no",
				}),
				"known nowhere": core("/sign-in/username", "username", (n) => `absent_${n}`, { password: "not it, no" }),
			},
		},
		{
			name: "methods",
			asks: {
				"known tenant": methods(() => plain),
				"deleted tenant": methods(() => gone),
				"no such tenant": methods(absent),
			},
		},
		{
			name: "sign-in, tenants that are gone",
			asks: { "deleted tenant": signIn(known, () => gone), "no such tenant": signIn(known, absent) },
		},
		{
			name: "sign-in, tenants",
			asks: { "known tenant, unknown e-mail": signIn(unknown), "no such tenant": signIn(unknown, absent) },
			differs: "a tenant id is not a secret: an unknown one returns 404 TENANT_NOT_FOUND (docs/limits.md)",
		},
		{
			name: "social sign-in, providers",
			asks: {
				"another tenant's provider": social("github"),
				"disabled provider": social("twitch"),
				"configured nowhere": social("discord"),
			},
		},
		{
			name: "social sign-in, tenants that are gone",
			asks: { "deleted tenant": social("github", () => gone), "no such tenant": social("github", absent) },
		},
	];
};
