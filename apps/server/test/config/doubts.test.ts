import { expect, it, onTestFinished } from "vitest";
import { checkConfiguration } from "../../src/doctor/check-configuration.ts";
import { createWorld } from "../support/world.ts";
import { LEAST, mistakesWith, read } from "./environment.ts";

const doubtsOf = (given: Record<string, string>): string[] => read(given).doubts.map(({ name }) => name);

it("doubts an id without its secret, and a session that is never extended", () => {
	expect(doubtsOf({})).toEqual([]);
	expect(doubtsOf({ SOCIAL_GOOGLE_CLIENT_ID: "id" })).toEqual(["SOCIAL_GOOGLE_CLIENT_SECRET"]);
	expect(doubtsOf({ SOCIAL_TIKTOK_CLIENT_KEY: "key" })).toEqual(["SOCIAL_TIKTOK_CLIENT_SECRET"]);
	expect(doubtsOf({ SOCIAL_GOOGLE_CLIENT_ID: "id", SOCIAL_GOOGLE_CLIENT_SECRET: "secret" })).toEqual([]);
	expect(doubtsOf({ SESSION_MAX_AGE: "3600" })).toEqual(["SESSION_UPDATE_AGE"]);
	expect(doubtsOf({ SESSION_MAX_AGE: "3600", SESSION_UPDATE_AGE: "60" })).toEqual([]);
});

it("says so to doctor", () => {
	const { findings } = checkConfiguration({ ...LEAST, SOCIAL_GOOGLE_CLIENT_ID: "id" });
	expect(findings.map(({ status, fix }) => [status, fix])).toContainEqual([
		"warning",
		"Set SOCIAL_GOOGLE_CLIENT_SECRET.",
	]);
});

it("refuses an audit log in a folder that does not exist", () => {
	expect(mistakesWith({ AUDIT_FILE: "/missing/audit.ndjson" })).toEqual([expect.stringContaining("Create the folder")]);
	expect(mistakesWith({ AUDIT_FILE: "/tmp/audit.ndjson" })).toEqual([]);
});

it("warns at startup about plain http in public, and about a proxy that is everybody", async () => {
	const world = await createWorld({
		environment: { TRUSTED_PROXIES: "0.0.0.0/0", SOCIAL_GOOGLE_CLIENT_ID: "id" },
	});
	onTestFinished(world.close);
	const service = await world.start();
	expect((await service.call("/livez")).status).toBe(200);
	const said = world.log.text();
	expect(said).toContain("is plain http: passwords and session cookies can be read");
	expect(said).toContain("any caller can claim any address");
	expect(said).toContain("SOCIAL_GOOGLE_CLIENT_SECRET is not set");
});
