import { organization } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";

const UNSAFE = [
	"javascript:alert(1)",
	" JavaScript:alert(1)",
	"java\nscript:alert(1)",
	"\u0001javascript:alert(1)",
	"vbscript:x",
	"data:text/html,<script>alert(1)</script>",
];
const SAFE = ["https://example.com/a.png", "/pictures/a.png", "data:image/png;base64,AAAA", "avatar-1", ""];

describe("a picture", () => {
	// threat 171
	it("is no URL that runs a script, for users and organizations", async () => {
		const world = await composedWorld([organization()]);
		const { a, b, call } = world;
		const [ada, neighbor] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
		for (const [at, image] of UNSAFE.entries()) {
			const refused = { status: 400, code: "INVALID_VALUE" };
			expect(await call("/update-user", { browser: ada, body: { image } })).toMatchObject(refused);
			const body = { name: "Eve", email: `eve-${at}@example.com`, password: "correct horse battery", image };
			expect(await call("/sign-up/email", { tenant: a, body })).toMatchObject(refused);
			const org = { name: "Org", slug: `org-${at}`, logo: image };
			expect(await call("/organization/create", { browser: ada, body: org })).toMatchObject(refused);
		}
		for (const image of SAFE) {
			await world.ok("/update-user", { browser: neighbor, body: { image } });
			expect((await world.whoami(neighbor)).user.image).toBe(image);
		}
		const stored = await world.database.query(`select "image" from "user"`);
		expect(stored.map(({ image }) => image)).toEqual([null, ""]);
		expect(await world.database.query(`select * from "organization"`)).toEqual([]);
	});
});
