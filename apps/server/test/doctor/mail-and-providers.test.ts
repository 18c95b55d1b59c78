import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { startSmtp } from "test-kit/servers/smtp";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { checkMail } from "../../src/doctor/check-mail.ts";
import { checkProviders } from "../../src/doctor/check-providers.ts";
import { createMailer } from "../../src/mail/mailer.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { saying } from "./judge.ts";

const read = (given: Record<string, string>) => readConfig(serverEnvironment("postgres://me@127.0.0.1/none", given));

describe("mail", { timeout: 60_000 }, () => {
	const check = async (SMTP_URL: string, more: Record<string, string> = {}) => {
		const { mail } = read({ SMTP_URL, MAIL_FROM: "Example <auth@localhost>", ...more });
		const mailer = mail.smtp && createMailer(mail.smtp);
		try {
			return await checkMail(mail, mailer);
		} finally {
			mailer?.close();
		}
	};

	it("is fine if the server accepts the login, and sends nothing", async () => {
		const smtp = await startSmtp();
		onTestFinished(() => smtp.close());
		const found = await check(smtp.url);
		expect(saying(found, "ok")).toEqual([`The mail server at 127.0.0.1:${smtp.port} accepts the login`]);
		expect(saying(found, "warning")).toEqual([expect.stringContaining("which is not a public domain")]);
		expect(smtp.mails).toEqual([]);
	});

	it("is wrong if nothing is listening or the password is rejected, in its own words", async () => {
		expect(saying(await check("smtp://me:canary@127.0.0.1:9"), "wrong")).toEqual([
			"The mail server at 127.0.0.1:9: nothing is listening there",
		]);
		const smtp = await startSmtp({
			authOptional: false,
			allowInsecureAuth: true,
			onAuth: (auth, _session, callback) => callback(new Error(`no entry for ${auth.username} with ${auth.password}`)),
		});
		onTestFinished(() => smtp.close());
		expect(saying(await check(smtp.url.replace("://", "://me:canary@")), "wrong")).toEqual([
			`The mail server at 127.0.0.1:${smtp.port}: it rejects the user and password`,
		]);
	});

	it("warns about every domain of senders that is not public, each once", async () => {
		const smtp = await startSmtp();
		onTestFinished(() => smtp.close());
		const found = await check(smtp.url, { MAIL_SENDER_DOMAINS: "LOCALHOST,acme.test,globex.invalid" });
		expect(saying(found, "warning")).toEqual([
			"MAIL_FROM uses localhost, which is not a public domain",
			"MAIL_SENDER_DOMAINS uses acme.test, which is not a public domain",
			"MAIL_SENDER_DOMAINS uses globex.invalid, which is not a public domain",
		]);
	});

	it("is a warning if it is not configured", async () => {
		const { mail } = read({});
		expect(saying(await checkMail(mail, null), "warning")).toHaveLength(1);
	});
});

describe("providers", { timeout: 60_000 }, () => {
	const startProvider = async (status: number) => {
		const requests: IncomingMessage[] = [];
		const server = createServer((request, response) => {
			requests.push(request);
			response.writeHead(status).end();
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => void server.close());
		return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
	};
	const gitlab = (SOCIAL_GITLAB_ISSUER: string) => ({
		SOCIAL_GITLAB_ISSUER,
		SOCIAL_GITLAB_CLIENT_ID: "canary-id",
		SOCIAL_GITLAB_CLIENT_SECRET: "canary-secret",
	});

	it("are checked by their sign-in page, without sending credentials", async () => {
		const { requests, url } = await startProvider(302);
		const found = await checkProviders(read(gitlab(url)).socialProviders);
		expect(saying(found, "ok")).toEqual([expect.stringMatching(/^gitlab: 127\.0\.0\.1:\d+ responds in \d+ ms$/)]);
		expect(requests.map(({ url: path }) => path)).toEqual(["/oauth/authorize"]);
		expect(JSON.stringify(requests.map(({ rawHeaders }) => rawHeaders))).not.toContain("canary");
	});

	it("are a warning while they fail, and wrong if they are unreachable or lack a setting", async () => {
		const { url } = await startProvider(503);
		expect(saying(await checkProviders(read(gitlab(url)).socialProviders), "warning")).toEqual([
			expect.stringContaining("with status 503"),
		]);
		const gone = await checkProviders(read(gitlab("http://127.0.0.1:45")).socialProviders);
		expect(saying(gone, "wrong")).toEqual(["gitlab: 127.0.0.1:45: nothing is listening there"]);
		// too long for a name, so no DNS query is sent, which might be slow
		const nowhere = `${"x".repeat(64)}.invalid`;
		const unknown = await checkProviders(read(gitlab(`https://${nowhere}`)).socialProviders);
		expect(saying(unknown, "wrong")).toEqual([expect.stringMatching(new RegExp(`^gitlab: ${nowhere}: the `))]);
		const incomplete = await checkProviders(
			read({ SOCIAL_COGNITO_CLIENT_ID: "id", SOCIAL_COGNITO_CLIENT_SECRET: "secret" }).socialProviders,
		);
		expect(saying(incomplete, "wrong")).toEqual(["cognito is not configured correctly"]);
	});

	it("are not waited for if they never respond", async () => {
		const silent = createServer(() => {});
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => {
			silent.closeAllConnections();
			silent.close();
		});
		const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
		const found = await checkProviders(read(gitlab(url)).socialProviders);
		expect(saying(found, "wrong")).toEqual([expect.stringContaining("it does not respond in time")]);
	});
});
