import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInTerminal } from "./support/run-command.ts";
import { createServed, type Served } from "./support/served.ts";

const SECRET = "canary-client-secret";
const folder = mkdtempSync(join(tmpdir(), "tenants-oauth-"));
const secretFile = join(folder, "secret");
let served: Served;
let tenant: string;
let neighbor: string;
beforeAll(async () => {
	writeFileSync(secretFile, `${SECRET}\n`);
	served = await createServed();
	tenant = await served.service.createTenant("acme");
	neighbor = await served.service.createTenant("neighbor");
});
afterAll(async () => {
	await served.close();
	rmSync(folder, { recursive: true });
});

const register = (...more: string[]): string[] => ["oauth-config", "register", "--tenant", tenant, ...more];

describe("oauth-config", () => {
	it("registers credentials with scopes and options, lists them for their tenant only, and deletes them", async () => {
		const stored = await served.run(
			register(
				...["--provider", "gitlab", "--client-id", "id-1", "--client-secret-file", secretFile],
				...["--scope", "read_user", "openid,email", "--option", "issuer=https://gitlab.example.com/a", "--json"],
			),
		);
		expect(stored).toMatchObject({ code: 0, stderr: "" });
		expect(stored.json()).toMatchObject({
			tenantId: tenant,
			providerId: "gitlab",
			clientId: "id-1",
			scopes: ["read_user", "openid", "email"],
			enabled: true,
		});
		const sent = JSON.parse(served.gateway.requests.at(-1)?.body ?? "");
		expect(sent).toMatchObject({ clientSecret: SECRET, options: { issuer: "https://gitlab.example.com/a" } });

		const listed = await served.run(["oauth-config", "list", "--tenant", tenant]);
		expect(listed.stdout).toBe("gitlab  enabled  id-1\n");
		expect((await served.run(["oauth-config", "list", "--tenant", neighbor, "--json"])).stdout).toBe("");

		const args = ["--provider", "gitlab", "--json"];
		const wrong = await served.run(["oauth-config", "delete", "--tenant", neighbor, ...args]);
		expect(wrong.error().code).toBe("OAUTH_CONFIG_NOT_FOUND");
		expect((await served.run(["oauth-config", "delete", "--tenant", tenant, ...args])).json()).toMatchObject({
			success: true,
		});
		expect((await served.run(["oauth-config", "list", "--tenant", tenant, "--json"])).lines()).toEqual([]);
	});

	it("reads the secret from stdin, and accepts flags", async () => {
		const stored = await served.run(
			register(
				...["--provider", "microsoft", "--client-id", "id-2", "--client-secret-file", "-", "--disabled"],
				...["--option", "disableProfilePhoto=true"],
			),
			{ stdin: `${SECRET}\n` },
		);
		expect(stored.code).toBe(0);
		expect(stored.stdout).toMatch(/^enabled\s+no$/m);
		const sent = JSON.parse(served.gateway.requests.at(-1)?.body ?? "");
		expect(sent).toMatchObject({ clientSecret: SECRET, enabled: false, options: { disableProfilePhoto: true } });
	});

	it("asks for the secret on a terminal without echoing it", async () => {
		const { code, screen } = await runInTerminal(
			register("--provider", "google", "--client-id", "id-3", "--client-secret-file", "-"),
			{ env: served.env, typed: `${SECRET}\r` },
		);
		expect(code).toBe(0);
		expect(screen).toContain("Client secret: ");
		// the terminal itself would echo what is typed before the question
		expect(screen.slice(screen.indexOf("Client secret: "))).not.toContain(SECRET);
		expect(JSON.parse(served.gateway.requests.at(-1)?.body ?? "")).toMatchObject({ clientSecret: SECRET });
	});

	it("rejects a secret as an argument, and does not repeat it", async () => {
		served.gateway.requests.length = 0;
		for (const given of [["--client-secret", SECRET], [`--client-secret=${SECRET}`]]) {
			const refused = await served.run(register("--provider", "google", "--client-id", "id", ...given, "--json"));
			expect(refused.error()).toMatchObject({
				code: "SECRET_AS_ARGUMENT",
				fix: expect.stringContaining("--client-secret-file"),
			});
			expect(refused.stderr).not.toContain(SECRET);
		}
		const empty = await served.run(register("--provider", "google", "--client-id", "id", "--client-secret-file", "-"));
		expect(empty.stderr).toContain("CLIENT_SECRET_EMPTY");
		expect(served.gateway.requests).toEqual([]);
	});

	it("reports errors of the server", async () => {
		const args = ["--client-id", "id", "--client-secret-file", secretFile, "--json"];
		const provider = await served.run(register("--provider", "nobody", ...args));
		expect(provider.error()).toMatchObject({ code: "UNSUPPORTED_PROVIDER", fix: expect.any(String) });
		const option = await served.run(register("--provider", "gitlab", "--option", "issuer=http://10.0.0.1", ...args));
		expect(option.error().code).toBe("INVALID_PROVIDER_OPTIONS");
		expect((await served.run(register("--provider", "gitlab", "--option", "issuer", ...args))).error().code).toBe(
			"USAGE",
		);
	});
});
