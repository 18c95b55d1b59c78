import { describe, expect, it } from "vitest";
import { newTicket, noteSession } from "./ticket.ts";

describe("the session that a request presents", () => {
	it("counts from when the request read it last", () => {
		const ticket = newTicket("make an API key", 1);
		noteSession(ticket, "own", 3);
		noteSession(ticket, "own", 8);
		expect(ticket.presented).toBe(8);
	});

	it("is the first one that it reads, and not one that it looks at", () => {
		const ticket = newTicket("end a session", 1);
		noteSession(ticket, "own", 3);
		noteSession(ticket, "another", 8);
		expect(ticket.presented).toBe(3);
	});

	it("is what it was when the request wrote, whatever it reads afterwards", () => {
		const ticket = newTicket("make an API key", 1);
		noteSession(ticket, "own", 3);
		ticket.effects.push({ at: 5, kind: "insert", table: "apikey", columns: ["name"], id: "key" });
		noteSession(ticket, "own", 8);
		expect(ticket.presented).toBe(3);
	});
});
