import { countRowsOf } from "test-kit/load/invariants";
import { newTenant, PASSWORD, pick, show } from "test-kit/load/visitor";
import { fillTenant } from "../fill-tenant.ts";
import { type Scenario, visitorOf } from "./scenario.ts";

const PEOPLE = 200;

/** An operator deletes a tenant of a few hundred users. */
export const deletion: Scenario = {
	name: "deletion",
	begin: async (scene) => {
		const operator = visitorOf(scene);
		const neighbor = await newTenant(operator, scene.fresh("kill-del-next"));
		await fillTenant(scene.query, neighbor, PEOPLE);
		const untouched = JSON.stringify(await countRowsOf(scene.query, neighbor));
		return async () => {
			const tenantId = await newTenant(operator, scene.fresh("kill-del"));
			await fillTenant(scene.query, tenantId, PEOPLE);
			const person = visitorOf(scene);
			const credentials = { tenantId, email: "ada@example.com", password: PASSWORD };
			await person.send("/tenant/sign-up/email", { body: { ...credentials, name: "Ada" } });
			const full = JSON.stringify(await countRowsOf(scene.query, tenantId));
			const remove = () => operator.send("/tenant/delete", { operator: true, body: { tenantId }, patienceMs: 120_000 });
			const status = async () => (await scene.query('select "status" from "tenant" where "id" = $1', [tenantId]))[0];

			const inspectHalf = async (): Promise<string[]> => {
				const complaints: string[] = [];
				const half = (await status())?.status;
				// in another browser, because multi-session would end the previous session in this one
				const signIn = await visitorOf(scene).send("/tenant/sign-in/email", { body: credentials });
				const session = await person.copy().send("/get-session");
				if (half === "active") {
					// the process died before the tenant closed, so nothing may be missing
					if (signIn.status !== 200) complaints.push(`an open tenant refuses: ${show(signIn)}`);
					if (pick(session.json, "session", "tenantId") !== tenantId) complaints.push("an open tenant lost a session");
				} else {
					if (signIn.code !== "TENANT_NOT_FOUND") complaints.push(`a ${half} tenant returned ${show(signIn)}`);
					if (session.status !== 200 || session.json !== null)
						complaints.push(`a ${half} tenant has a live session: ${show(session)}`);
				}
				const again = await remove();
				if (again.status !== (half === undefined ? 404 : 200))
					complaints.push(`deleting a ${half ?? "missing"} tenant again: ${show(again)}`);
				return complaints;
			};

			return {
				run: async () => (await remove()).status === 200,
				inspect: async (acknowledged) => {
					const complaints = acknowledged ? [] : await inspectHalf();
					if (await status()) complaints.push("the tenant is still there");
					const left = await countRowsOf(scene.query, tenantId);
					if (Object.keys(left).length > 0) complaints.push(`left behind of ${full}: ${JSON.stringify(left)}`);
					const session = await person.send("/get-session");
					if (session.json !== null) complaints.push(`a session outlives its tenant: ${show(session)}`);
					const theirs = JSON.stringify(await countRowsOf(scene.query, neighbor));
					if (theirs !== untouched) complaints.push(`the other tenant had ${untouched}, now ${theirs}`);
					return complaints;
				},
			};
		};
	},
};
