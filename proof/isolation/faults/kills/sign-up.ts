import { newTenant, PASSWORD, pick, show } from "test-kit/load/visitor";
import { type Scenario, visitorOf } from "./scenario.ts";

/** A user signs up in one tenant; another tenant already has the same address. */
export const signUp: Scenario = {
	name: "sign-up",
	begin: async (scene) => {
		const operator = visitorOf(scene);
		const tenantId = await newTenant(operator, scene.fresh("kill-up"));
		const neighbor = await newTenant(operator, scene.fresh("kill-up-next"));
		return async () => {
			const email = `${scene.fresh("up")}@example.com`;
			const other = visitorOf(scene);
			await other.send("/tenant/sign-up/email", {
				body: { tenantId: neighbor, name: "N", email, password: "the neighbor's own" },
			});
			const person = visitorOf(scene);
			const body = { tenantId, name: "Ada", email, password: PASSWORD };
			return {
				run: async () => (await person.send("/tenant/sign-up/email", { body })).status === 200,
				inspect: async (acknowledged) => {
					const complaints: string[] = [];
					if (acknowledged) {
						const session = await person.send("/get-session");
						if (pick(session.json, "user", "email") !== email)
							complaints.push(`the session of an acknowledged sign-up is gone: ${show(session)}`);
					} else {
						const again = await visitorOf(scene).send("/tenant/sign-up/email", { body });
						if (again.status !== 200 && again.status !== 422)
							complaints.push(`a second sign-up is refused: ${show(again)}`);
					}
					const signIn = await visitorOf(scene).send("/tenant/sign-in/email", {
						body: { tenantId, email, password: PASSWORD },
					});
					if (signIn.status !== 200) complaints.push(`${email} is locked out: ${show(signIn)}`);
					const theirs = await other.send("/get-session");
					if (pick(theirs.json, "session", "tenantId") !== neighbor)
						complaints.push(`the other tenant's user lost the session: ${show(theirs)}`);
					return complaints;
				},
			};
		};
	},
};
