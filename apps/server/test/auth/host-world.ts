import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startSmtp } from "test-kit/servers/smtp";
import { startProvider } from "./provider.ts";
import { makeWorld } from "./world.ts";

export const HTTPS = "https://auth.example.com";
type World = Awaited<ReturnType<typeof makeWorld>>;

/** A server that also resolves tenants by host, with mail, a GitLab and a domains file that is checked every second. */
export const makeHostWorld = async (
	environment: Record<string, string>,
	domainsOf: (world: World) => Record<string, string>,
) => {
	const smtp = await startSmtp();
	const provider = await startProvider();
	const folder = await mkdtemp(join(tmpdir(), "domains-"));
	const file = join(folder, "domains.json");
	await writeFile(file, "{}");
	const world = await makeWorld({
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		AUTH_URL: HTTPS,
		TENANT_DOMAIN: "app.example.com",
		TENANT_DOMAINS_FILE: file,
		SOCIAL_GITLAB_CLIENT_ID: "id",
		SOCIAL_GITLAB_CLIENT_SECRET: "secret",
		SOCIAL_GITLAB_ISSUER: provider.issuer,
		...environment,
	});
	await writeFile(file, JSON.stringify(domainsOf(world)));
	await wait(1_100);
	return {
		smtp,
		provider,
		file,
		world,
		close: async (): Promise<void> => {
			await world.close();
			await smtp.close();
			await provider.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
};
