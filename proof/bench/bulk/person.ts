import { createHash } from "node:crypto";
import { PASSWORD } from "../server/settings.ts";

/** Users in one request of an import, and on one page of an export. */
export const BATCH = 500;

type Account = { providerId: string; accountId?: string | undefined; password?: string | undefined };
export type Person = { id: string; email: string; accounts: Account[] };

const sha = (algorithm: "sha256" | "sha512", text: string): string => createHash(algorithm).update(text).digest("hex");
const SINCE = Date.UTC(2024, 0, 1);
/** Every so many people came by a provider too. */
const LINKED_EVERY = 4;

/** Somebody to import, by number: with a hash as the engine writes them, and the first with one that lets him in. */
export const personOf = (prefix: string, number: number) => {
	const id = `${prefix}-${String(number).padStart(8, "0")}`;
	const digest = sha("sha512", id);
	const password = number === 0 ? sha("sha256", PASSWORD) : `${digest.slice(0, 32)}:${digest}`;
	const createdAt = new Date(SINCE + number * 1_000).toISOString();
	return {
		id,
		email: `person-${number}@example.com`,
		name: `Person ${number}`,
		emailVerified: true,
		createdAt,
		updatedAt: createdAt,
		accounts: [
			{ providerId: "credential", password },
			...(number % LINKED_EVERY === 0 ? [{ providerId: "gitlab", accountId: id }] : []),
		],
	};
};

/** How many people, how many accounts they have, and one number that any other person or hash would change. */
export type Census = { people: number; accounts: number; sum: string };

/** Counts people in whatever order they come. */
export const takeCensus = () => {
	let people = 0;
	let accounts = 0;
	let sum = 0n;
	return {
		count: (person: Person): void => {
			people += 1;
			accounts += person.accounts.length;
			// an account by password is named after its user, whatever was said
			const names = person.accounts.map(({ providerId, accountId, password }) =>
				providerId === "credential" ? `${providerId} ${password}` : `${providerId} ${accountId}`,
			);
			const digest = sha("sha256", [person.id, person.email, ...names.sort()].join("\n"));
			sum = BigInt.asUintN(64, sum + BigInt(`0x${digest.slice(0, 16)}`));
		},
		read: (): Census => ({ people, accounts, sum: sum.toString(16).padStart(16, "0") }),
	};
};
