import type { GenericEndpointContext } from "better-auth";
import { getSessionFromCtx } from "better-auth/api";
import { type PhoneNumberOptions, phoneNumber } from "better-auth/plugins";
import { currentTenantId, PLATFORM } from "better-auth-tenants";
import * as z from "zod";
import { outsideRequest } from "../lib/request-context.ts";
import { describeError } from "../observe/engine-logger.ts";
import type { Logger } from "../observe/logger.ts";
import type { SmsSender, TextMessage } from "../sms/sms-sender.ts";

/** E.164: a plus sign and up to 15 digits. */
const E164 = /^\+[1-9]\d{6,14}$/;

type PhoneWith = { sms: SmsSender | null; logger: Logger };

/** The phone-number plugin. It hands codes to the SMS webhook. */
export const phoneNumberPlugin = ({ sms, logger }: PhoneWith) => {
	/**
	 * Sends a code for the current tenant. The request does not wait: response time must not reveal whether a number is
	 * known, and a slow webhook must not delay a sign-in.
	 */
	const post = (purpose: TextMessage["purpose"]): PhoneNumberOptions["sendOTP"] => {
		return ({ phoneNumber, code }, ctx) => {
			const tenantId = currentTenantId() ?? PLATFORM;
			const send = async () => {
				if (!ctx || !(await canUseCode(ctx, phoneNumber))) return;
				// not part of the request: it is no call to a provider
				await outsideRequest(() => sms?.send({ tenantId, phoneNumber, code, purpose }));
			};
			sms?.follow(
				send().catch((error: unknown) => logger.error({ err: describeError(error) }, "text message not sent")),
			);
		};
	};
	const plugin = phoneNumber({
		requireVerification: true,
		phoneNumberValidator: (given) => E164.test(given),
		sendOTP: post("verification"),
		sendPasswordResetOTP: post("password-reset"),
	});
	const { fields } = plugin.schema.user;
	return {
		...plugin,
		schema: { user: { fields: { ...fields, phoneNumber: { ...fields.phoneNumber, ...ONLY_REMOVED } } } },
	};
};

/**
 * Users can remove their number with /update-user, and set it only with a code. The engine also accepts it at sign-up,
 * unverified. Whoever owns the number would then sign in to the account of the user who claimed it.
 */
const ONLY_REMOVED = {
	validator: { input: z.null({ error: "Add a phone number with /phone-number/verify and updatePhoneNumber" }) },
};

/**
 * Whether somebody could use the code: a user of the tenant who has this number, or a signed-in user who adds it. The engine
 * sends codes to any number. Every message costs money, so strangers could run up a bill.
 */
const canUseCode = async (ctx: GenericEndpointContext, phoneNumber: string): Promise<boolean> => {
	const where = [{ field: "phoneNumber", value: phoneNumber }];
	if ((await ctx.context.adapter.count({ model: "user", where })) > 0) return true;
	return (await getSessionFromCtx(ctx)) !== null;
};
