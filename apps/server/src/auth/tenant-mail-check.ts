import type { BetterAuthPlugin } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "better-auth/api";
import type { MailConfig } from "../config/mail.ts";
import { problemOf } from "../mail/tenant-mail.ts";

/** The endpoints that write a tenant's metadata. */
const PATHS = ["/tenant/create", "/tenant/update", "/tenant/import"];

/** Rejects invalid mail settings in a tenant's metadata. Without it, a mistake would show in the mails only. */
export const tenantMailCheck = ({ senderDomains }: Pick<MailConfig, "senderDomains">) =>
	({
		id: "tenant-mail-check",
		hooks: {
			before: [
				{
					matcher: ({ path }) => path !== undefined && PATHS.includes(path),
					handler: createAuthMiddleware(async (ctx) => {
						const problem = problemOf(mailIn(ctx.body), senderDomains);
						if (problem) throw new APIError("BAD_REQUEST", { code: "TENANT_MAIL_INVALID", message: problem });
					}),
				},
			],
		},
	}) satisfies BetterAuthPlugin;

const mailIn = (body: unknown): unknown => {
	if (typeof body !== "object" || body === null || !("metadata" in body)) return undefined;
	const { metadata } = body;
	return typeof metadata === "object" && metadata !== null && "mail" in metadata ? metadata.mail : undefined;
};
