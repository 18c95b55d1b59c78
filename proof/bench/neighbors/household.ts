import { type Client, orThrow, textOf } from "../server/client.ts";
import { PASSWORD } from "../server/settings.ts";

/** A tenant and its users, each signed in once. */
export type Household = { tenant: string; people: { email: string; cookie: string }[] };

/** Creates a tenant with this many users. */
export const settle = async (client: Client, slug: string, people: number): Promise<Household> => {
	const made = orThrow(await client.send("/tenant/create", { operator: true, body: { name: slug, slug } }));
	const household: Household = { tenant: textOf(made, "id"), people: [] };
	for (let number = 0; number < people; number += 1) {
		const email = `person-${number}@example.com`;
		const body = { name: "Ada", email, password: PASSWORD };
		const { cookie } = orThrow(await client.send("/sign-up/email", { tenant: household.tenant, body }));
		household.people.push({ email, cookie });
	}
	return household;
};
