import type { Failure } from "../failures.ts";
import { errorAt } from "../view/failure.ts";
import type { Child } from "../view/h.ts";
import { field } from "../view/parts.ts";
import { fieldOf, type Visit } from "../visit.ts";

/** The field of pages that only ask for an address, with the address that the visitor gave before. */
export const emailField = (visit: Visit, failure: Failure | null): Child =>
	field({
		name: "email",
		label: visit.texts.fields.email,
		type: "email",
		value: fieldOf(visit, "email") || visit.cookies.read("email") || "",
		autocomplete: "email",
		error: errorAt(visit.texts, failure, "email"),
		autofocus: true,
	});

/** The address in the form; null if it is none. */
export const givenEmail = (visit: Visit): string | null => {
	const email = fieldOf(visit, "email");
	return /^[^\s@]+@[^\s@]+$/.test(email) ? email : null;
};
