import type { Answer, Client } from "../server/client.ts";
import type { Stream } from "../server/open-loop.ts";
import { PASSWORD } from "../server/settings.ts";
import type { Household } from "./household.ts";

/** Requests a second. */
export type Rates = { signIn: number; session: number };

/** The users of a tenant, who sign in and read their sessions. */
export const streamsOf = (client: Client, { tenant, people }: Household, rates: Rates): Stream[] => [
	{
		name: "sign-in",
		perSecond: rates.signIn,
		send: (number) => signIn(client, tenant, people[number % people.length]?.email ?? ""),
		isRight: ({ status }) => status === 200,
	},
	{
		name: "get-session",
		perSecond: rates.session,
		send: (number) => {
			const cookie = people[number % people.length]?.cookie ?? "";
			return client.send("/get-session", { tenant, cookie });
		},
		// a missing session also returns 200
		isRight: ({ status, json }) => status === 200 && json !== null,
	},
];

export const signIn = (client: Client, tenant: string, email: string): Promise<Answer> =>
	client.send("/sign-in/email", { tenant, body: { email, password: PASSWORD } });
