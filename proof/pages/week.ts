// cspell:ignore Northwind northwind
import { createOTP } from "@better-auth/utils/otp";
import type { Browser } from "playwright-core";
import { verifyRecord } from "./verify-record.ts";
import { base32, createVisitor, openContext, PASSWORD } from "./visitor.ts";
import type { Tenant, World } from "./world.ts";

type Person = Awaited<ReturnType<typeof createPerson>>;
type Answer = { status: number; json: Record<string, unknown> };

/**
 * A week of a tenant's owner in Chromium, against the service with PostgreSQL, Redis and a mail server. Whatever the owner
 * does, the owner of another tenant tries first. Returns the steps.
 */
export const liveThroughTheWeek = async (world: World, browser: Browser, wrong: string[]): Promise<string[]> => {
	const steps: string[] = [];
	const [northwind, contoso] = [
		await world.createTenant("Northwind", "northwind"),
		await world.createTenant("Contoso", "contoso"),
	];
	const tenantId = northwind.id;
	const check = (what: string, seen: unknown, expected: unknown): void => {
		if (JSON.stringify(seen) !== JSON.stringify(expected))
			wrong.push(`week: ${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`);
	};
	const person = (tenant: Tenant, name: string) => createPerson(world, browser, tenant, name, wrong);
	const step = (name: string): void => void steps.push(name);

	step("the operator creates two tenants and invites their owners, who accept in the browser");
	const olivia = await person(northwind, "olivia");
	const nora = await person(contoso, "nora");
	for (const [who, tenant] of [[olivia, northwind] as const, [nora, contoso] as const]) {
		await who.visitor.open(await world.invite(tenant, who.email, "owner"));
		check("the owner joins", await who.join(), `Welcome to ${tenant.name}.`);
	}
	/** The owner of the other tenant is refused, and the owner is not. */
	const only = async (by: Person, path: string, body: object): Promise<Answer["json"]> => {
		const refused = await nora.call(path, { ...body, tenantId });
		check(`a neighbor's ${path}`, [refused.status, refused.json.code], [403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		const { status, json } = await by.call(path, { ...body, tenantId });
		check(path, [status, json.code], [200, undefined]);
		return json;
	};

	step("the owner invites two users, who open the link of the mail and accept");
	const people: Person[] = [];
	for (const [name, role] of [["mia", "member"] as const, ["bob", "member"] as const]) {
		const invited = await person(northwind, name);
		await only(olivia, "/tenant/invitation/create", { email: invited.email, role });
		const link = await world.invitationTo(invited.email);
		await nora.visitor.open(link);
		check("the link on a neighbor's page", await nora.heading(), "Invitation not found");
		await invited.visitor.open(link);
		check("the invitation's page", await invited.heading(), "Join Northwind");
		check("the new user joins", await invited.join(), "Welcome to Northwind.");
		people.push(invited);
	}
	const [mia, bob] = people as [Person, Person];

	step("the owner promotes one of them");
	check("a member who bans", (await mia.call("/tenant/user/ban", { tenantId, userId: await bob.id() })).status, 403);
	await only(olivia, "/tenant/user/set-role", { userId: await mia.id(), role: "admin" });
	const bobsId = await bob.id();

	step("the new admin bans the other, who is refused on the sign-in page");
	await only(mia, "/tenant/user/ban", { userId: bobsId });
	await bob.visitor.open("/signed-in");
	check("the banned user's session", await bob.heading(), "Sign in to Northwind");
	await bob.visitor.signIn(bob.email);
	check("the banned user's sign-in", await bob.said(".notice.error"), [
		"This account is locked. Ask the people who gave you this address.",
	]);
	await only(mia, "/tenant/user/unban", { userId: bobsId });
	await bob.visitor.signIn(bob.email);
	check("the sign-in after the ban", await bob.heading(), "You are signed in");

	step("the owner allows passwords only, and the sign-in page offers nothing else");
	const guest = await person(northwind, "guest");
	const methods = async (who: Person): Promise<string[]> => {
		await who.visitor.open("/sign-in");
		return who.said(".methods .button");
	};
	const offered = await methods(guest);
	check("the methods before", offered.includes("Continue with Google"), true);
	await only(olivia, "/tenant/policy/update", { policy: { methods: ["password"] } });
	check("the methods after", await methods(guest), []);
	const neighbors = await person(contoso, "guest");
	check("the neighbor's methods", await methods(neighbors), offered);

	step("the owner requires a second factor, and sets one up at the next sign-in");
	await only(olivia, "/tenant/policy/update", { policy: { secondFactor: "required" } });
	await olivia.visitor.open("/signed-in");
	check("the owner's session without it", await olivia.heading(), "Sign in to Northwind");
	await olivia.visitor.signIn(olivia.email);
	check("the owner's sign-in", await olivia.heading(), "Set up a second factor");
	const code = await olivia.setUpApp();
	check("the owner with it", await olivia.heading(), "You are signed in");
	await olivia.visitor.signOut();
	await olivia.visitor.signIn(olivia.email);
	check("the next sign-in", await olivia.heading(), "Confirm it is you");
	await olivia.visitor.fill({ code: await code() });
	await olivia.visitor.send();
	check("the owner's code", await olivia.heading(), "You are signed in");
	await nora.visitor.open("/signed-in");
	check("the neighbor without it", await nora.heading(), "You are signed in");

	step("the owner erases a user. The record verifies, and the user cannot sign in");
	const { record, erasure } = await only(olivia, "/tenant/user/erase", { userId: bobsId });
	check("the record", await verifyRecord(world.environment, String(record)), erasure);
	check("a changed record", await verifyRecord(world.environment, `${String(record).slice(0, -4)}AAAA`), null);
	await bob.visitor.signIn(bob.email);
	check("the erased user's sign-in", await bob.said("#password-error"), ["Email or password is wrong."]);

	step("the neighbor has noticed nothing");
	const { json } = await nora.call(`/tenant/user/list?tenantId=${contoso.id}`);
	const list = (Array.isArray(json) ? json : []) as { email: string }[];
	check(
		"the neighbor's users",
		list.map(({ email }) => email),
		[nora.email],
	);

	for (const who of [olivia, nora, mia, bob, guest, neighbors]) await who.close();
	return steps;
};

/** A person with a browser of their own, at one tenant. */
const createPerson = async (world: World, browser: Browser, tenant: Tenant, name: string, wrong: string[]) => {
	const context = await openContext(browser, tenant, { locale: "en-US" }, wrong);
	const page = await context.newPage();
	const visitor = createVisitor(page, context, tenant, world);
	const said = async (selector: string): Promise<string[]> =>
		(await page.locator(selector).allTextContents()).map((text) => text.trim());
	/** Calls the API with the person's cookies, until there is a page for it. */
	const call = (path: string, body?: object): Promise<Answer> =>
		page.evaluate(
			async ([at, sent]) => {
				const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(sent) };
				const answer = await fetch(`/api/auth${at}`, sent ? init : {});
				return { status: answer.status, json: await answer.json() };
			},
			[path, body] as const,
		);
	return {
		email: `${name}@${tenant.name.toLowerCase()}.example`,
		visitor,
		said,
		call,
		heading: async (): Promise<string> => (await said("h1")).join(),
		id: async (): Promise<string> => String(((await call("/get-session")).json.user as { id: string }).id),
		/** Accepts the invitation on the page as a new user. Returns what the next page says. */
		join: async (): Promise<string> => {
			await visitor.fill({ name, password: PASSWORD });
			await visitor.send();
			return (await said(".notice:not([hidden])")).join();
		},
		/** Sets up an authenticator app on its page. Returns a function for its codes. */
		setUpApp: async (): Promise<() => Promise<string>> => {
			await visitor.fill({ password: PASSWORD });
			await visitor.send();
			const [key = ""] = await said(".secret code");
			const code = () => createOTP(base32(key.replaceAll(" ", ""))).totp();
			await visitor.fill({ code: await code() });
			await visitor.send();
			return code;
		},
		close: () => context.close(),
	};
};
