import { createHash } from "node:crypto";
import { PASSWORD } from "../server/settings.ts";

/** Users per import request and per export page. */
export const BATCH = 500;

type Account = { providerId: string; accountId?: string | undefined; password?: string | undefined };
export type Person = { id: string; email: string; accounts: Account[] };

const sha = (algorithm: "sha256" | "sha512", text: string): string => createHash(algorithm).update(text).digest("hex");
const SINCE = Date.UTC(2024, 0, 1);
/** One in this many users also has a provider account. */
const LINKED_EVERY = 4;

/** A user to import, by number: with a hash in the engine's format; the first one has a valid password. */
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

/** The number of users and accounts, and a checksum over users and hashes. */
export type Census = { people: number; accounts: number; sum: string };

/** Counts users in any order. */
export const takeCensus = () => {
	let people = 0;
	let accounts = 0;
	let sum = 0n;
	return {
		count: (person: Person): void => {
			people += 1;
			accounts += person.accounts.length;
			// a password account has the id of its user
			const names = person.accounts.map(({ providerId, accountId, password }) =>
				providerId === "credential" ? `${providerId} ${password}` : `${providerId} ${accountId}`,
			);
			const digest = sha("sha256", [person.id, person.email, ...names.sort()].join("\n"));
			sum = BigInt.asUintN(64, sum + BigInt(`0x${digest.slice(0, 16)}`));
		},
		read: (): Census => ({ people, accounts, sum: sum.toString(16).padStart(16, "0") }),
	};
};
