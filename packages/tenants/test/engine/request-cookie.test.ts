import { createAuthMiddleware } from "@better-auth/core/api";
import { serializeSignedCookie } from "better-call";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readingContext } from "../../src/engine/hook.ts";
import { readCookie } from "../../src/engine/request-cookie.ts";
import { readCookies, replaceCookies } from "../../src/engine/request-cookies.ts";

const NAME = "better-auth.session_token";

/** The engine's own parser, through a context as its hooks receive it. */
const engine = createAuthMiddleware(async (ctx) => ctx.getCookie(NAME));
const asEngine = (cookie: string): Promise<string | null> => engine({ headers: sending(cookie) } as never);

/** Headers that accept any text. Real ones reject some of these values. */
const sending = (cookie: string): Headers => Object.assign(new Headers(), { get: () => cookie });

const piece = fc.oneof(
	fc.constantFrom(
		NAME,
		`__Secure-${NAME}`,
		`x${NAME}`,
		"a",
		"",
		"=",
		";",
		"; ",
		" ",
		'"',
		"%",
		"%41",
		"%7E",
		"~acme",
		"\t",
	),
	fc.string({ maxLength: 4 }),
);

it("finds the same cookie as Better Auth in any header", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
			const header = pieces.join("");
			expect(readCookie(header, NAME), JSON.stringify(header)).toBe(await asEngine(header));
			const found = readCookies(header, (name) => name === NAME).get(NAME);
			expect(found?.value || null, JSON.stringify(header)).toBe(await asEngine(header));
			if (found) expect(await asEngine(replaceCookies(header, [{ ...found, value: '"new"; %' }]))).toBe('"new"; %');
		}),
		{ numRuns: 20_000 },
	);
});

it.each([
	[`${NAME}=one; ${NAME}=two`, "one"],
	[`${NAME}="quoted"`, "quoted"],
	[`${NAME}=a%7Eb`, "a~b"],
	[`${NAME}=%zz`, "%zz"],
	[`x${NAME}=no; ${NAME}=yes`, "yes"],
	[`${NAME}=`, null],
	[`broken; ${NAME}=still`, "still"],
	["", null],
])("reads %s as Better Auth does", async (header, value) => {
	expect(readCookie(header, NAME)).toBe(value);
	expect(await asEngine(header)).toBe(value);
});

describe("a signed cookie", () => {
	const SECRET = "a secret that signs the cookies of this test";
	const sign = async (secret = SECRET) =>
		(await serializeSignedCookie(NAME, "to.ken~acme", secret)).slice(`${NAME}=`.length);
	type Reader = { getSignedCookie: (name: string, secret: string) => Promise<string | null | false> };
	const asEngine = createAuthMiddleware(async (ctx) => ctx.getSignedCookie(NAME, SECRET));
	const read = async (value: string) => {
		const headers = sending(`${NAME}=${value}`);
		const own: Reader = readingContext({ headers } as never);
		return [await own.getSignedCookie(NAME, SECRET), await asEngine({ headers } as never)];
	};

	it("is read as Better Auth reads it", async () => {
		const signed = decodeURIComponent(await sign());
		const signature = signed.slice("to.ken~acme.".length);
		const foreign = await sign("another secret");
		expect(await read(signed)).toEqual(["to.ken~acme", "to.ken~acme"]);
		expect(await read(encodeURIComponent(signed))).toEqual(["to.ken~acme", "to.ken~acme"]);
		expect(await read(foreign)).toEqual([false, false]);
		for (const value of [
			"",
			"x",
			`.${signature}`,
			signature,
			`x.${signature}x`,
			`x.${"=".repeat(44)}`,
			`x.${"!".repeat(43)}=`,
			`x.${signature.slice(1)}`,
			`é\\n.${signature}`,
		]) {
			const [own, engine] = await read(value);
			expect([value, own]).toEqual([value, engine]);
		}
		expect(await read(`other.${signature}`)).toEqual([false, false]);
	});
});
