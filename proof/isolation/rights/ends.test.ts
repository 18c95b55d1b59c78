import { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import type { Credential, End, Person, Tenant } from "./beliefs.ts";
import { endsOf } from "./ends.ts";

const personOf = (tenant: Tenant): Person => {
	const person: Person = {
		tenant,
		id: `user of ${tenant.id}`,
		email: "ada@example.com",
		roles: [],
		isGone: false,
		totp: null,
		hasTriedFactor: false,
		credentials: [],
	};
	tenant.people.push(person);
	return person;
};

const sessionOf = (person: Person): Credential => ({
	kind: "session",
	person,
	began: 10,
	by: null,
	secret: "",
	browser: new Browser(),
});

const keyBy = (by: Credential, presented: number): Credential => ({
	kind: "key",
	person: by.person,
	began: 20,
	presented,
	by,
	secret: "key",
	browser: null,
});

const [a, b] = ["a", "b"].map((id) => personOf({ id, people: [] })) as [Person, Person];
const kept = sessionOf(a);
/** An invitation that was accepted in a session of tenant A, from 30 to 50. */
const accepted: End = {
	kind: "accept",
	tenant: a.tenant,
	person: a,
	began: 30,
	decided: 40,
	answered: 50,
	kept,
	role: null,
};

/** A lower role, after which sessions go on. */
const demoted: End = { ...accepted, kind: "demote", kept: null };

const endedBy = (credential: Credential, end = accepted): string[] =>
	endsOf({ credential, role: "member" }, { ends: [end], undos: [] }, 60).map(({ kind }) => kind);

describe("what a session that goes on made in a request that began before the end", () => {
	it("is from before if the request read the session before the end was decided, also after it began", () => {
		expect(endedBy(keyBy(kept, 25))).toEqual(["accept"]);
		expect(endedBy(keyBy(kept, 39))).toEqual(["accept"]);
	});

	it("is not if the request read the session later", () => {
		expect(endedBy(keyBy(kept, 41))).toEqual([]);
		expect(endedBy(keyBy(kept, 55))).toEqual([]);
	});

	it("is from before, whenever it was read, if another session or a key from before made it", () => {
		expect(endedBy(keyBy(sessionOf(a), 55))).toEqual(["accept"]);
		expect(endedBy(keyBy(keyBy(kept, 25), 55))).toEqual(["accept"]);
	});

	it("is judged in the same way after a lower role, which ends no session", () => {
		expect(endedBy(keyBy(kept, 25), demoted)).toEqual(["demote"]);
		expect(endedBy(keyBy(kept, 39), demoted)).toEqual(["demote"]);
		expect(endedBy(keyBy(kept, 41), demoted)).toEqual([]);
		expect(endedBy(keyBy(keyBy(kept, 25), 55), demoted)).toEqual(["demote"]);
	});

	it("says nothing about a user of another tenant", () => {
		expect(endedBy(keyBy(sessionOf(b), 25))).toEqual([]);
	});
});
