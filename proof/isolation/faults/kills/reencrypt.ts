import { canarySecret } from "test-kit/canary";
import { newTenant, pick, show } from "test-kit/load/visitor";
import { type Scenario, type Scene, visitorOf } from "./scenario.ts";

const TENANTS = 20;
const PROVIDERS = ["gitlab", "google", "github"];
const BATCH = 8;

/** An operator encrypts every stored credential again. The application has a new secret in addition to the old one. */
export const reencrypt = (
	sealWithOldSecret: (scene: Scene, register: () => Promise<void>) => Promise<void>,
): Scenario => ({
	name: "re-sealing",
	begin: async (scene) => {
		const operator = visitorOf(scene);
		const tenants: string[] = [];
		await sealWithOldSecret(scene, async () => {
			for (let n = 0; n < TENANTS; n += 1) {
				const tenantId = await newTenant(operator, scene.fresh("kill-seal"));
				tenants.push(tenantId);
				for (const providerId of PROVIDERS) {
					const registered = await operator.send("/tenant/oauth-config/register", {
						operator: true,
						body: {
							tenantId,
							providerId,
							clientId: `${providerId}-of-${tenantId}`,
							clientSecret: canarySecret(`${providerId}-of-${tenantId}`),
							...(providerId === "gitlab" ? { options: scene.idp.gitlab } : {}),
						},
					});
					if (registered.status !== 200) throw new Error(`not registered: ${show(registered)}`);
				}
			}
		});
		const sealed = await scene.query(
			'select "id", "clientId", "clientSecret", "options" from "tenantOauthConfig" where "tenantId" = any($1)',
			[tenants],
		);

		return async () => {
			for (const { id, clientId, clientSecret, options } of sealed)
				await scene.query(
					'update "tenantOauthConfig" set "clientId" = $2, "clientSecret" = $3, "options" = $4 where "id" = $1',
					[id, clientId, clientSecret, options],
				);
			return {
				run: async () => (await scene.app().call("reencrypt", BATCH)).unreadable.length === 0,
				inspect: async () => {
					const complaints = await findUnusable(scene, tenants);
					const done = await scene.app().call("reencrypt", BATCH);
					if (done.unreadable.length > 0) complaints.push(`${done.unreadable.length} configs cannot be decrypted`);
					const old = await scene.query(
						`select "id" from "tenantOauthConfig" where "tenantId" = any($1) and ("clientId" not like '$ba$2$%' or "clientSecret" not like '$ba$2$%' or "options" not like '$ba$2$%')`,
						[tenants],
					);
					if (old.length > 0)
						complaints.push(`${old.length} configs are encrypted with the old secret after a full run`);
					return complaints;
				},
			};
		};
	},
});

/** Every config is listed with its own client, and a sign-in with it starts. */
const findUnusable = async (scene: Scene, tenants: string[]): Promise<string[]> => {
	const complaints: string[] = [];
	const operator = visitorOf(scene);
	for (const tenantId of tenants) {
		const listed = await operator.send(`/tenant/oauth-config/list?tenantId=${tenantId}`, { operator: true });
		if (!Array.isArray(listed.json) || listed.json.length !== PROVIDERS.length)
			complaints.push(`the configs of a tenant cannot be listed: ${show(listed)}`);
		for (const provider of PROVIDERS) {
			const started = await visitorOf(scene).send("/tenant/sign-in/social", {
				body: { tenantId, provider, callbackURL: "/home" },
			});
			const url = pick(started.json, "url");
			const client = typeof url === "string" ? URL.parse(url)?.searchParams.get("client_id") : null;
			if (client !== `${provider}-of-${tenantId}`) complaints.push(`${provider} cannot be decrypted: ${show(started)}`);
		}
	}
	return complaints;
};
