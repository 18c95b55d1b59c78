import { randomBytes } from "node:crypto";
import type { IdentityProvider } from "test-kit/identity-provider";
import { type Answer, newTenant, PASSWORD, pick, show, Visitor } from "test-kit/load/visitor";
import { linkIn, type startSmtp } from "test-kit/servers/smtp";
import type { Service } from "test-kit/service/service";

type World = {
	tenants: string[];
	mailbox: Awaited<ReturnType<typeof startSmtp>>;
	idp: IdentityProvider;
	/** the public URL of both versions */
	origin: string;
};

/** One process issues something and the other uses it. */
export type Exchanged = { what: string; requests: number; wrong: string[] };

type Between = { from: () => string; to: () => string; world: World; ask: Ask };
type Ask = (what: string, answer: Promise<Answer>, status?: number) => Promise<Answer>;

const NEW_PASSWORD = `${PASSWORD} 2`;

/** Lets one process issue sessions, users, mails, OAuth states and credentials, and uses each at another process. */
export const exchange = async (from: Service, to: Service, world: World): Promise<Exchanged[]> => {
	const exchanged: Exchanged[] = [];
	for (const [what, run] of Object.entries(EXCHANGES)) {
		const one: Exchanged = { what, requests: 0, wrong: [] };
		const ask: Ask = async (step, sent, status = 200) => {
			const answer = await sent;
			one.requests += 1;
			if (answer.status !== status) one.wrong.push(`${step}: ${show(answer)}`);
			return answer;
		};
		// the same email in both tenants
		const email = `${randomBytes(6).toString("hex")}@example.com`;
		for (const tenantId of world.tenants)
			one.wrong.push(...(await run({ from: () => from.origin, to: () => to.origin, world, ask }, { tenantId, email })));
		exchanged.push(one);
	}
	return exchanged;
};

type Person = { tenantId: string; email: string };

const signUp = async ({ from, ask }: Between, { tenantId, email }: Person): Promise<Visitor> => {
	const person = new Visitor(from);
	const body = { tenantId, email, name: "P", password: PASSWORD };
	await ask("sign-up", person.send("/tenant/sign-up/email", { body }));
	return person;
};

/** Complains unless a session belongs to a user. */
const compare = ({ json }: Answer, { tenantId, email }: Person): string[] => {
	const found = [pick(json, "user", "email"), pick(json, "session", "tenantId")];
	return found[0] === email && found[1] === tenantId ? [] : [`a session of ${found} instead of ${email}, ${tenantId}`];
};

const EXCHANGES: Record<string, (between: Between, person: Person) => Promise<string[]>> = {
	"a session, its list and its end": async (between, person) => {
		const { from, to, ask } = between;
		const signedUp = await signUp(between, person);
		const there = new Visitor(to, signedUp.browser.copy());
		const wrong = compare(await ask("session", there.send("/get-session")), person);
		await ask("list", there.send("/list-sessions"));
		await ask("sign-out", there.copy().send("/sign-out", { body: {} }));
		const here = await ask("session after sign-out", new Visitor(from, signedUp.browser.copy()).send("/get-session"));
		return here.json === null ? wrong : [...wrong, "a session lives after its sign-out"];
	},
	"a sign-up": async (between, person) => {
		const { to, ask } = between;
		await signUp(between, person);
		const there = new Visitor(to);
		await ask("sign-in", there.send("/tenant/sign-in/email", { body: { ...person, password: PASSWORD } }));
		return compare(await ask("session", there.send("/get-session")), person);
	},
	"a mail": async (between, person) => {
		const { from, to, ask, world } = between;
		await signUp(between, person);
		const { tenantId: tenant, email } = person;
		world.mailbox.mails.splice(0);
		await ask("mail", new Visitor(from).send("/request-password-reset", { tenant, body: { email } }));
		const [, token] = /\/reset-password\/([^?]+)/.exec(linkIn(await world.mailbox.mailTo(email))) ?? [];
		await ask("reset", new Visitor(to).send("/reset-password", { tenant, body: { token, newPassword: NEW_PASSWORD } }));
		const body = { ...person, password: NEW_PASSWORD };
		await ask("sign-in", new Visitor(from).send("/tenant/sign-in/email", { body }));
		return [];
	},
	"a social sign-in": (between, person) => signInAtProvider(between, person, person.tenantId),
	"a tenant and its OAuth credentials": async (between, { email }) => {
		const { from, ask, world } = between;
		const tenantId = await newTenant(new Visitor(from), `made-${randomBytes(6).toString("hex")}`);
		const client = { clientId: `client-${tenantId}`, clientSecret: randomBytes(16).toString("hex") };
		const body = { tenantId, providerId: "gitlab", ...client, options: { issuer: world.idp.gitlab.issuer } };
		const registered = await ask(
			"registration",
			new Visitor(from).send("/tenant/oauth-config/register", { operator: true, body }),
		);
		world.idp.addClient({ ...client, redirectURIs: [String(pick(registered.json, "callbackURL"))] });
		return signInAtProvider(between, { tenantId, email }, tenantId);
	},
};

/** One process sends the user to the provider, and the other one receives them. */
const signInAtProvider = async (
	{ from, to, ask, world: { idp } }: Between,
	person: Person,
	tenantId: string,
): Promise<string[]> => {
	const here = new Visitor(from);
	const body = { tenantId, provider: "gitlab", callbackURL: "/welcome", errorCallbackURL: "/oops" };
	const started = await ask("start", here.send("/tenant/sign-in/social", { body }));
	const identity = { sub: `${tenantId}-${person.email}`, email: person.email, emailVerified: true, name: "P" };
	const arrived = new URL(await idp.authorize(String(pick(started.json, "url")), identity));
	const there = new Visitor(to, here.browser.copy());
	const callback = await ask("callback", there.send(`${to()}${arrived.pathname}${arrived.search}`), 302);
	const wrong = callback.location?.includes("/welcome") ? [] : [`the callback leads to ${callback.location}`];
	const session = await ask("session", new Visitor(from, there.browser.copy()).send("/get-session"));
	return [...wrong, ...compare(session, person)];
};
