import { canarySecret } from "test-kit/canary";
import { newTenant, pick, show, type Visitor } from "test-kit/load/visitor";
import { type Scenario, type Scene, visitorOf } from "./scenario.ts";

/** A user returns from the identity provider for the first time. */
export const callback: Scenario = {
	name: "callback",
	begin: async (scene) => {
		const operator = visitorOf(scene);
		const tenantId = await newTenant(operator, scene.fresh("kill-back"));
		const client = { clientId: tenantId, clientSecret: canarySecret(tenantId) };
		scene.idp.addClient({
			...client,
			redirectURIs: [`${scene.origin()}/api/auth/tenant/callback/gitlab/${tenantId}`],
		});
		const registered = await operator.send("/tenant/oauth-config/register", {
			operator: true,
			body: { tenantId, providerId: "gitlab", ...client, options: scene.idp.gitlab },
		});
		if (registered.status !== 200) throw new Error(`not registered: ${show(registered)}`);

		return async () => {
			const sub = scene.fresh("sub");
			const email = `${sub}@example.com`;
			const person = visitorOf(scene);
			const url = await goAndConsent(scene, person, tenantId, { sub, email });
			// the browser's state if the response never arrives
			const waiting = person.copy();
			return {
				run: async () => (await person.send(url)).location === "/home",
				inspect: async (acknowledged) => {
					const complaints: string[] = [];
					const expectSession = async (visitor: Visitor, when: string) => {
						const session = await visitor.send("/get-session");
						if (pick(session.json, "user", "email") !== email || pick(session.json, "session", "tenantId") !== tenantId)
							complaints.push(`no session ${when}: ${show(session)}`);
					};
					if (acknowledged) await expectSession(person, "after an acknowledged callback");
					else {
						const reloaded = await waiting.send(url);
						if (reloaded.status !== 302) complaints.push(`the reloaded callback returned ${show(reloaded)}`);
					}
					const again = visitorOf(scene);
					const answer = await again.send(await goAndConsent(scene, again, tenantId, { sub, email }));
					if (answer.location !== "/home") complaints.push(`${email} is locked out: ${show(answer)}`);
					await expectSession(again, "after a second sign-in");
					const people = await scene.query(
						'select u."id" from "user" u join "account" a on a."userId" = u."id" where u."tenantId" = $1 and u."email" = $2',
						[tenantId, email],
					);
					if (people.length !== 1) complaints.push(`${email} has ${people.length} users with accounts`);
					return complaints;
				},
			};
		};
	},
};

const goAndConsent = async (
	{ idp }: Scene,
	visitor: Visitor,
	tenantId: string,
	person: { sub: string; email: string },
): Promise<string> => {
	const started = await visitor.send("/tenant/sign-in/social", {
		body: { tenantId, provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" },
	});
	const url = pick(started.json, "url");
	if (typeof url !== "string") throw new Error(`the sign-in did not start: ${show(started)}`);
	return idp.authorize(url, person);
};
