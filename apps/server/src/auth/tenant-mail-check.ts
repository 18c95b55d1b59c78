import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "better-auth/api";
import type { tenantAuth } from "better-auth-tenants";
import type { MailConfig } from "../config/mail.ts";
import { problemsOf } from "../mail/tenant-mail.ts";

/**
 * Rejects invalid mail settings in a tenant's metadata. Without it, a mistake would show in the mails only. The check runs
 * behind the guard of the endpoints: before it, callers who may not manage could find out which domains are allowed.
 */
export const refuseInvalidMail = (
	{ endpoints }: Pick<ReturnType<typeof tenantAuth>, "endpoints">,
	{ senderDomains }: Pick<MailConfig, "senderDomains">,
): void => {
	const check = createAuthMiddleware(async (ctx) => {
		const [problem] = problemsOf(mailIn(ctx.body), senderDomains);
		if (problem) throw new APIError("BAD_REQUEST", { code: "TENANT_MAIL_INVALID", message: problem });
	});
	// the endpoints that write metadata
	for (const endpoint of [endpoints.createTenant, endpoints.updateTenant, endpoints.importTenant])
		runLast(endpoint, check);
};

/** Appends a middleware to those that run before the handler. */
const runLast = ({ options }: { options: { use?: unknown[] } }, middleware: unknown): void => {
	options.use = [...(options.use ?? []), middleware];
};

const mailIn = (body: unknown): unknown => {
	if (typeof body !== "object" || body === null || !("metadata" in body)) return undefined;
	const { metadata } = body;
	return typeof metadata === "object" && metadata !== null && "mail" in metadata ? metadata.mail : undefined;
};
