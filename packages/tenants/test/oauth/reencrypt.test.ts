import { betterAuth } from "better-auth";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { useIdentityProvider } from "test-kit/social";
import { visit } from "test-kit/visit";
import { createWorld, MANAGEMENT_KEY, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type ReencryptProgress, reencryptSecrets, tenantAuth } from "../../src/index.ts";

const idp = useIdentityProvider();
const OLD = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";
const NEW = "b1Qm7yT4vKc2Xz9Lr5Ns8Wf3Gj6Hd0Pa";

/** The same application after a new secret was put before the old one. */
const rotate = (world: World, secrets: { version: number; value: string }[], legacy: string | null = OLD) => {
	const { secret: _old, plugins: _plugins, ...options } = world.options;
	const plugin = tenantAuth({
		management: { keys: [MANAGEMENT_KEY] },
		oauth: { allowPrivateHosts: true },
		deletion: { drainTime: 0 },
	});
	return betterAuth({ ...options, ...(legacy ? { secret: legacy } : {}), secrets, plugins: [plugin] });
};

const register = (world: World, tenantId: string, providerId = "gitlab") =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId,
			clientId: `client-of-${tenantId}`,
			clientSecret: canarySecret(tenantId),
			...(providerId === "gitlab" ? { options: idp().gitlab } : {}),
		},
	});

const clientIdOf = async (auth: ReturnType<typeof rotate>, tenantId: string): Promise<string | null> => {
	const body = JSON.stringify({ tenantId, provider: "gitlab" });
	const response = await auth.handler(
		new Request(`${ORIGIN}/api/auth/tenant/sign-in/social`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: ORIGIN },
			body,
		}),
	);
	const { url, code } = (await response.json()) as { url?: string; code?: string };
	return url ? new URL(url).searchParams.get("client_id") : `${response.status} ${code}`;
};

describe("after rotating the auth secret", () => {
	// threat 58
	it("opens old configs, seals new ones with the new secret, and needs only the new secret after reencrypt", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await register(world, a);
		const secrets = [{ version: 2, value: NEW }];
		const rotated = rotate(world, secrets);
		expect(await clientIdOf(rotated, a)).toBe(`client-of-${a}`);
		await rotated.api.registerTenantOauthConfig({
			body: {
				tenantId: b,
				providerId: "gitlab",
				clientId: `client-of-${b}`,
				clientSecret: canarySecret(b),
				options: idp().gitlab,
			},
		});
		const sealed = async () =>
			(await world.database.query('select "tenantId", "clientSecret" from "tenantOauthConfig"')).map((row) => [
				row.tenantId,
				String(row.clientSecret).startsWith("$ba$2$"),
			]);
		expect(Object.fromEntries(await sealed())).toEqual({ [a]: false, [b]: true });

		const withoutOld = rotate(world, secrets, null);
		expect(await clientIdOf(withoutOld, a)).toBe("500 OAUTH_CONFIG_UNREADABLE");
		expect(await clientIdOf(withoutOld, b)).toBe(`client-of-${b}`);

		expect(await reencryptSecrets(rotated)).toMatchObject({ seen: 2, reencrypted: 1, unreadable: [] });
		expect(Object.fromEntries(await sealed())).toEqual({ [a]: true, [b]: true });
		expect(await reencryptSecrets(rotated)).toMatchObject({ seen: 2, reencrypted: 0 });
		expect(await clientIdOf(rotate(world, secrets, null), a)).toBe(`client-of-${a}`);
	});

	// threat 58
	it("re-encrypts in batches, reports progress, resumes where it stopped, and names what does not decrypt", async () => {
		const world = await createWorld();
		const ids: string[] = [];
		for (let n = 0; n < 7; n += 1) {
			ids.push(await world.newTenant());
			await register(world, ids.at(-1) ?? "");
		}
		await world.database.query(`update "tenantOauthConfig" set "clientSecret" = 'lost' where "tenantId" = '${ids[0]}'`);
		const rotated = rotate(world, [{ version: 2, value: NEW }]);
		const progress: ReencryptProgress[] = [];
		const interrupted = reencryptSecrets(rotated, {
			batchSize: 3,
			onProgress: (now) => {
				progress.push(now);
				if (progress.length === 1) throw new Error("interrupted");
			},
		});
		await expect(interrupted).rejects.toThrow("interrupted");
		expect(progress[0]?.seen).toBe(3);
		const rest = await reencryptSecrets(rotated, { batchSize: 3, after: progress[0]?.after ?? null });
		expect(rest.seen).toBe(4);
		expect([...(progress[0]?.unreadable ?? []), ...rest.unreadable]).toEqual([
			{ tenantId: ids[0], providerId: "gitlab" },
		]);
		expect((progress[0]?.reencrypted ?? 0) + rest.reencrypted).toBe(6);
	});

	// threat 58
	it("keeps a registration that happens during reencrypt", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		await register(world, tenantId);
		const rotated = rotate(world, [{ version: 2, value: NEW }]);
		await Promise.all([
			reencryptSecrets(rotated),
			rotated.api.registerTenantOauthConfig({
				body: {
					tenantId,
					providerId: "gitlab",
					clientId: "the newest",
					clientSecret: canarySecret("newest"),
					options: idp().gitlab,
				},
			}),
		]);
		expect((await rotated.api.listTenantOauthConfigs({ query: { tenantId } }))[0]?.clientId).toBe("the newest");
	});

	// threat 58
	it("completes a sign-in that started before reencrypt", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		idp().addClient({
			clientId: `client-of-${tenantId}`,
			clientSecret: canarySecret(tenantId),
			redirectURIs: [`${ORIGIN}/api/auth/tenant/callback/gitlab/${tenantId}`],
		});
		await register(world, tenantId);
		const rotated = rotate(world, [{ version: 2, value: NEW }]);
		const browser = new Browser();
		const send = visit(rotated, browser, ORIGIN);
		const started = await send(`${ORIGIN}/api/auth/tenant/sign-in/social`, {
			tenantId,
			provider: "gitlab",
			callbackURL: "/home",
		});
		const callback = await idp().authorize(((await started.json()) as { url: string }).url, {
			sub: "s",
			email: "ada@example.com",
		});
		expect((await reencryptSecrets(rotated)).reencrypted).toBe(1);
		expect((await send(callback)).headers.get("location")).toBe("/home");
	});
});
