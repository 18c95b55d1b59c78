import type { PageCatalog } from "../catalog/en.ts";
import type { Failure } from "../failures.ts";
import { errorAt } from "../view/failure.ts";
import type { Child } from "../view/h.ts";
import { field } from "../view/parts.ts";

/** Better Auth's limits. */
const [SHORTEST, LONGEST] = [8, 128];

/** A field for a password that is being chosen. The script says how strong it is. */
export const newPasswordField = (texts: PageCatalog, label: string, failure: Failure | null): Child =>
	field({
		name: "password",
		label,
		type: "password",
		autocomplete: "new-password",
		minlength: SHORTEST,
		maxlength: LONGEST,
		hint: texts.password.hint,
		error: errorAt(texts, failure, "password"),
		autofocus: failure?.field === "password",
		data: {
			"data-show": texts.password.show,
			"data-weak": texts.password.weak,
			"data-fair": texts.password.fair,
			"data-strong": texts.password.strong,
		},
	});
