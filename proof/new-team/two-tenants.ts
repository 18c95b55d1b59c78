import assert from "node:assert/strict";
import { type Answer, createBrowser } from "./requests.ts";

const HOSTS = ["acme.localhost", "globex.localhost"] as const;
const PASSWORDS = ["first horse battery", "second horse battery"] as const;

/** Checks over HTTP that the same new email is two users, each with their own password and session. Returns what was seen. */
export const twoTenants = async (port: number, email: string): Promise<string> => {
	const visit = createBrowser(port);
	const send = (host: string, path: string, body?: object, cookie?: string): Promise<Answer> =>
		visit(host, path, { ...(body ? { body } : {}), ...(cookie ? { headers: { cookie } } : {}) });
	const users: Answer[] = [];
	for (const [index, host] of HOSTS.entries()) {
		const signedUp = await send(host, "/sign-up/email", { name: "Grace", email, password: PASSWORDS[index] });
		assert.equal(signedUp.status, 200, `sign-up at ${host}: ${JSON.stringify(signedUp.body)}`);
		users.push(signedUp);
	}
	const [first, second] = users.map(({ body }) => (body?.user as { id: string; email: string } | undefined)?.id);
	assert.ok(first && second, "A sign-up returned no user.");
	assert.notEqual(first, second, "Both tenants have the same user.");
	const signIn = (index: 0 | 1, password: 0 | 1) =>
		send(HOSTS[index], "/sign-in/email", { email, password: PASSWORDS[password] });
	assert.equal((await signIn(0, 0)).status, 200);
	assert.equal((await signIn(1, 1)).status, 200);
	assert.equal((await signIn(0, 1)).status, 401, "The first tenant accepts the password of the second.");
	assert.equal((await signIn(1, 0)).status, 401, "The second tenant accepts the password of the first.");
	const userOf = async (host: string, cookie = "") =>
		((await send(host, "/get-session", undefined, cookie)).body?.user as { id: string } | undefined)?.id ?? null;
	assert.equal(await userOf(HOSTS[0], users[0]?.cookie), first);
	assert.equal(await userOf(HOSTS[1], users[1]?.cookie), second);
	assert.equal(await userOf(HOSTS[1], users[0]?.cookie), null, "A session of the first tenant is valid in the second.");
	const nobody = await send("umbrella.localhost", "/sign-in/email", { email, password: PASSWORDS[0] });
	assert.equal(nobody.status, 404, "A host of no tenant is served.");
	return "two users with one email; password and session of one tenant are refused in the other; 404 on a host of no tenant";
};
