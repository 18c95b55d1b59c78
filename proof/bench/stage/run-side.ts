import { signInAndConsent } from "test-kit/sign-in-and-consent";
import { type Authorize, FLOWS, type FlowSide, type Person } from "./flows.ts";
import { type SideSettings, startSide } from "./sides.ts";

const PEOPLE = 50;

/** Starts a side, signs its users up, and returns what its flows send. */
export const runSide = async (settings: SideSettings) => {
	const started = await startSide(settings);
	const { engine, tenantOf } = started;
	const people: Person[] = [];
	for (let number = 0; number < PEOPLE; number += 1) {
		const email = `person-${number}@example.com`;
		const tenant = tenantOf(number);
		people.push({ email, tenant, cookie: await engine.signUp(email, tenant) });
	}
	const authorize: Authorize = (url, person) => signInAndConsent(settings.servers.gitlab.issuer, url, person);
	const flows = new Map(FLOWS.map(({ name, side }) => [name, side(started, { people, authorize })]));
	return {
		engine,
		flow: (name: string): FlowSide => {
			const found = flows.get(name);
			if (!found) throw new Error(`There is no flow "${name}"`);
			return found;
		},
		close: started.close,
	};
};

export type RunningSide = Awaited<ReturnType<typeof runSide>>;
