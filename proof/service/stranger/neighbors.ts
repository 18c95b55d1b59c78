import { setTimeout as wait } from "node:timers/promises";
import { PASSWORD } from "test-kit/load/visitor";
import type { createAsk } from "./ask.ts";

export type Served = { signIns: number; failed: Record<string, number> };

type Person = { tenant: string; email: string; address: string };

/** Signs up users of each tenant, each with an own address. */
export const moveIn = async (
	ask: ReturnType<typeof createAsk>,
	tenants: string[],
	perTenant: number,
): Promise<Person[]> => {
	const people: Person[] = [];
	for (const [at, tenant] of tenants.entries()) {
		for (let n = 0; n < perTenant; n += 1) {
			const person = { tenant, email: `user-${n}@example.com`, address: `198.51.${100 + at}.${1 + n}` };
			const body = { name: "Ada", email: person.email, password: PASSWORD };
			const { status } = await ask({ path: "/sign-up/email", tenant, body, address: person.address });
			if (status !== 200) throw new Error(`a sign-up returned ${status}`);
			people.push(person);
		}
	}
	return people;
};

/** Signs people in, one after the other, three a second at most, until the time is over. */
export const signInUntil = async (
	ask: ReturnType<typeof createAsk>,
	people: Person[],
	until: number,
): Promise<Served> => {
	const seen: Served = { signIns: 0, failed: {} };
	for (let n = 0; Date.now() < until; n += 1) {
		const { tenant, email, address } = people[n % people.length] as Person;
		const { status, code } = await ask({
			path: "/sign-in/email",
			tenant,
			body: { email, password: PASSWORD },
			address,
		});
		seen.signIns += 1;
		if (status !== 200) {
			const answer = `${status} ${code}`.trim();
			seen.failed[answer] = (seen.failed[answer] ?? 0) + 1;
		}
		await wait(333);
	}
	return seen;
};
