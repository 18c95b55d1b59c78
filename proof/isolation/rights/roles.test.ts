import { describe, expect, it } from "vitest";
import { changingRole, roleOf } from "./actions/roles.ts";
import type { Person, Role, Tenant } from "./beliefs.ts";
import { newTicket, type Ticket } from "./ticket.ts";

const personOf = (tenant: Tenant, role: Role): Person => {
	const person: Person = {
		tenant,
		id: `user of ${tenant.id}`,
		email: "ada@example.com",
		roles: [{ role, writtenAt: () => 0 }],
		isGone: false,
		totp: null,
		hasTriedFactor: false,
		credentials: [],
	};
	tenant.people.push(person);
	return person;
};

const start = () => [personOf({ id: "a", people: [] }, "owner"), personOf({ id: "b", people: [] }, "owner")] as const;

const change = (person: Person, role: Role, began: number) => {
	const ticket = newTicket(`make a user ${role}`, began);
	const changing = changingRole(person, role);
	changing.begin(ticket);
	return { ...changing, ticket };
};

const write = ({ effects }: Ticket, at: number, column = "role"): void => {
	effects.push({ at, kind: "update", table: "user", columns: ["updatedAt", column], id: null });
};

describe("a change of a role", () => {
	it("is judged by what was committed before it, by a request that is not answered yet", () => {
		const [person, neighbor] = start();
		const first = change(person, "member", 10);
		write(first.ticket, 15);
		const second = change(person, "admin", 20);
		write(second.ticket, 25);
		expect([first.isLower(), second.isLower(), second.isRaise()]).toEqual([true, false, true]);
		expect([roleOf(person), roleOf(neighbor)]).toEqual(["admin", "owner"]);
	});

	it("is judged so in whichever order the requests began", () => {
		const [person, neighbor] = start();
		const first = change(person, "admin", 10);
		const second = change(person, "member", 20);
		write(second.ticket, 25);
		write(first.ticket, 35);
		expect([second.isLower(), first.isLower()]).toEqual([true, false]);
		expect([roleOf(person), roleOf(neighbor)]).toEqual(["admin", "owner"]);
	});

	it("lowers it, whatever was begun meanwhile and not committed", () => {
		const [person, neighbor] = start();
		const held = change(person, "member", 10);
		write(held.ticket, 12, "rightsEpoch");
		const other = change(neighbor, "member", 13);
		write(other.ticket, 14);
		const lower = change(person, "admin", 20);
		write(lower.ticket, 25);
		expect(lower.isLower()).toBe(true);
		expect([roleOf(person), roleOf(neighbor)]).toEqual(["admin", "member"]);
	});

	it("that wrote nothing had to if the role was another one all the time", () => {
		const [person] = start();
		const lower = change(person, "admin", 10);
		expect(lower.isLower()).toBe(true);
		const meanwhile = change(person, "member", 11);
		write(meanwhile.ticket, 15);
		expect(lower.isLower()).toBe(false);
	});
});
