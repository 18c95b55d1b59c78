import { describe, expect, it } from "vitest";
import { keepLog } from "../support/log.ts";

const CANARY = "canary-0d5f2c";

describe("the log", () => {
	it.each([
		{ password: CANARY },
		{ newPassword: CANARY },
		{ headers: { authorization: `Bearer ${CANARY}` } },
		{ headers: { Cookie: `a=${CANARY}`, "Set-Cookie": [`b=${CANARY}`] } },
		{ deep: { er: { still: { clientSecret: CANARY } } } },
		{ list: [{ access_token: CANARY }, { refreshToken: CANARY }, { idToken: CANARY }] },
		{ session: { token: CANARY } },
		{ code: CANARY, state: CANARY, otp: CANARY },
		{ backupCodes: [CANARY] },
		{ url: `https://auth.example.com/reset-password/${CANARY}` },
		{ headers: new Headers({ cookie: CANARY }) },
		{ bytes: Buffer.from(CANARY) },
		{ parameters: [CANARY] },
	])("redacts the secret of %j", (fields) => {
		const { logger, text } = keepLog();
		logger.info(fields, "a line");
		logger.child(fields).warn("of a child");
		expect(text()).toContain("a line");
		expect(text()).toContain("of a child");
		expect(text()).not.toContain(CANARY);
		expect(text()).not.toContain(Buffer.from(CANARY).join(","));
	});

	it.each([
		`GET /api/auth/reset-password/${CANARY}?callbackURL=/x`,
		`https://auth.example.com/api/auth/verify-email?token=${CANARY}&callbackURL=/`,
		`https://auth.example.com/api/auth/callback/google?code=${CANARY}&state=${CANARY}`,
		`Authorization: Bearer ${CANARY}`,
		`cookie better-auth.session_token=${CANARY}; path=/`,
		`postgres://me:${CANARY}@db:5432/auth`,
		`redis://:${CANARY}@cache:6379`,
		`a token eyJhbGciOiJIUzI1NiJ9.${CANARY}.signature in a sentence`,
		`x-eyJhbGciOiJIUzI1NiJ9.${CANARY}.`,
	])("redacts the secret in the text %s", (message) => {
		const { logger, text } = keepLog();
		logger.info(message);
		logger.info({ note: message, list: [message] }, "%s", message);
		logger.info("%o", { message });
		logger.error(new Error(message));
		logger.error({ err: new Error("outer", { cause: new Error(message) }) });
		logger.error({ err: new AggregateError([new Error(message)], "several") }, "several");
		expect(text()).not.toContain(CANARY);
		expect(text().split("\n")).toHaveLength(7);
	});

	it("keeps names with dots", () => {
		const { logger, lines } = keepLog();
		logger.info("at keyJson.parse.run, eyJust.two, 10.0.0.1 and a.b.c");
		expect(lines()[0]?.msg).toBe("at keyJson.parse.run, eyJust.two, 10.0.0.1 and a.b.c");
	});

	it("keeps an error's type, message, stack and code, and nothing that a driver attached", () => {
		const { logger, lines, text } = keepLog();
		const error = Object.assign(new TypeError("duplicate key"), { code: "23505", detail: CANARY, query: CANARY });
		logger.error({ err: error }, "no");
		expect(lines()[0]).toMatchObject({
			msg: "no",
			err: { type: "TypeError", message: "duplicate key", code: "23505" },
		});
		expect(lines()[0]?.err).toHaveProperty("stack");
		expect(text()).not.toContain(CANARY);
	});

	it("uses the error's message if there is no other", () => {
		const { logger, lines } = keepLog();
		logger.error(new Error("one"));
		logger.error({ err: new Error("two") });
		expect(lines().map(({ msg }) => msg)).toEqual(["one", "two"]);
	});

	it("writes one line of JSON with the time for any input", () => {
		const { logger, lines } = keepLog();
		const circle: Record<string, unknown> = { name: "circle" };
		circle.self = circle;
		logger.info({ circle, big: 1n, no: undefined, when: new Date(0), fn: () => 1 }, "odd\nthings");
		expect(lines()).toHaveLength(1);
		expect(lines()[0]).toMatchObject({ level: "info", msg: "odd\nthings", when: "1970-01-01T00:00:00.000Z" });
		expect(String(lines()[0]?.time)).toMatch(/^\d{4}-\d\d-\d\dT/);
	});
});
