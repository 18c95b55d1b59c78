import { currentRequest } from "../../lib/request-context.ts";
import type { PageCatalog } from "../catalog/en.ts";
import type { Failure, Field } from "../failures.ts";
import { type Child, h } from "./h.ts";
import { notice } from "./parts.ts";

/** The message of a failure above the form; null if it belongs to one of the form's fields, or if there is none. */
export const failureNotice = (texts: PageCatalog, failure: Failure | null, fields: Field[] = []): Child => {
	if (!failure || (failure.field && fields.includes(failure.field))) return null;
	return [notice(texts.errors[failure.key], "error"), failure.isUnknown ? reference(texts) : null];
};

/** The message for a field. */
export const errorAt = (texts: PageCatalog, failure: Failure | null, field: Field): string | undefined =>
	failure?.field === field ? texts.errors[failure.key] : undefined;

/** The id under which the log has the request. */
export const reference = ({ errors }: PageCatalog): Child => {
	const id = currentRequest()?.requestId;
	return id ? h("p", { class: "reference" }, `${errors.reference}: `, h("code", null, id)) : null;
};
