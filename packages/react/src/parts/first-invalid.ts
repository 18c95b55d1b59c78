import type { Failure } from "../failures.ts";

/** What is wrong with the first field that the browser would complain about. Our texts replace its own. */
export const firstInvalid = (form: HTMLFormElement): Failure | null => {
	for (const element of form.elements) {
		if (!(element instanceof HTMLInputElement) || element.validity.valid) continue;
		return { text: element.validity.valueMissing ? "missing" : "emailInvalid", field: element.name };
	}
	return null;
};
