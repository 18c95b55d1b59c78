import { countScanned } from "test-kit/count-scanned";
import { expect, it } from "vitest";
import { cleanLine, describeError, engineLogger } from "../../src/observe/engine-logger.ts";
import { redactedText } from "../../src/observe/redact.ts";
import { keepLines } from "./lines.ts";
import { makeWorld, PASSWORD } from "./world.ts";

it("writes the engine's lines at their own level, and skips those below the server's level", () => {
	const { logger, lines } = keepLines("warn");
	const { log, level } = engineLogger(logger);
	for (const each of ["debug", "info", "warn", "error"] as const) log?.(each, `a line at ${each}`);
	expect(level).toBe("warn");
	expect(lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg])).toEqual([
		[40, "a line at warn"],
		[50, "a line at error"],
	]);
});

it("shortens and cleans caller input", () => {
	expect(cleanLine("Invalid callbackURL: https://evil.example/secret?token=secret#more")).toBe(
		"Invalid callbackURL: https://evil.example/…",
	);
	expect(cleanLine("Invalid redirectURL: /reset?token=secret")).toBe("Invalid redirectURL: /reset?…");
	expect(cleanLine("at postgres://me:hunter2@db.example/name")).toBe("at postgres://db.example/…");
	expect(cleanLine('at postgres://me:hunt"er@2@db.example?x=1')).toBe("at postgres://db.example/…");
	expect(cleanLine('"https://a.example/secret","1http://b.example/secret" ://secret/secret')).toBe(
		'"https://a.example/…","1http://b.example/…" ://secret/…',
	);
	expect(cleanLine("existing email: ada@example.com")).toBe("existing email: …@example.com");
	expect(cleanLine("<ada@example.com>,(bob@example.com) @nobody carol@")).toBe(
		"<…@example.com>,(…@example.com) @nobody carol@",
	);
	expect(cleanLine('one\r\n{"level":60}\u001b[31m\u202etwo\u2028')).toBe('one {"level":60} [31m two');
	expect(cleanLine("x".repeat(100_000)).length).toBeLessThan(510);
});

// threat 79
it("cleans any line in linear time", () => {
	for (const piece of ["a", "a.", "a://", "a@", ':// "', "?", "://@", "a+", '"'])
		for (const read of [cleanLine, redactedText]) {
			const [short, long] = [400, 1_600].map((length) =>
				countScanned(() => read(piece.repeat(length).slice(0, length))),
			);
			expect([piece, (long ?? 0) / Math.max(short ?? 0, 1) < 5]).toEqual([piece, true]);
		}
});

it("keeps the useful fields of an error, without the values that a driver attached", () => {
	const error = Object.assign(new Error("duplicate key value violates unique constraint"), {
		code: "23505",
		detail: "Key (email)=(ada@example.com) already exists.",
		parameters: [PASSWORD],
	});
	const described = describeError(error);
	expect(described).toMatchObject({ name: "Error", code: "23505", message: error.message });
	expect(JSON.stringify(described)).not.toMatch(/ada@example|horse/);
	expect(described.stack).toContain("engine-logger.test.ts");
});

it("drops objects logged with a line, because they may contain anything", () => {
	const { logger, lines } = keepLines();
	engineLogger(logger).log?.("error", "failed", { token: "secret-token" }, "secret text", new Error("why"));
	expect(lines.join("")).not.toContain("secret");
	expect(lines.join("")).toContain("why");
});

it("logs no password, token, cookie or query of a whole session, at the debug level", async () => {
	const world = await makeWorld({ PLUGINS: "bearer,username" });
	try {
		const up = await world.signUp(world.acme.id, "ada@example.com");
		const token = String(up.json.token);
		await world.call("/tenant/sign-in/email", {
			tenant: world.acme.id,
			body: {
				email: "ada@example.com",
				password: "wrong secret password",
				callbackURL: "https://evil.example/?q=secret-query",
			},
		});
		await world.call("/get-session?secret-query=1", { headers: { authorization: `Bearer ${token}` } });
		await world.call("/sign-out", {
			headers: {
				authorization: `Bearer ${token}`,
				origin: "https://evil.example/secret-query",
				cookie: "a=secret-cookie",
			},
			body: {},
		});
		await world.signUp(world.acme.id, "ada@example.com");
		const log = world.lines.join("");
		expect(log).toContain("Invalid callbackURL");
		for (const secret of [
			PASSWORD,
			"wrong secret password",
			token,
			"secret-query",
			"secret-cookie",
			"ada@",
			world.config.secrets.secret,
		])
			expect(log).not.toContain(secret);
	} finally {
		await world.close();
	}
});
