import { APIError } from "@better-auth/core/error";
import { isAPIError } from "better-auth/api";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { HookContext } from "../../engine/hook.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";

/** Better Auth keeps a code for existing users only, so these say that a user exists: a code of theirs is used up or too old. */
const TELLING = ["TOO_MANY_ATTEMPTS", "OTP_EXPIRED"];

/** Whether anyone may try a code at the endpoint, for an address. */
export const takesMailedCode = ({ takesCode, namesUsers, kind }: Endpoint): boolean =>
	takesCode && namesUsers.includes("email") && kind !== "member";

/** Whether the response to a code that was sent by email would tell whether the address has an account. */
export const tellsOfCode = ({ context: { returned } }: { context: { returned?: unknown } }): boolean =>
	isAPIError(returned) && TELLING.includes(String(returned.body?.code));

/** Responds as for an address without an account: the code is wrong. Server code still sees Better Auth's own error. */
export const unifyCodes = async (ctx: HookContext): Promise<Response | undefined> => {
	if (!ctx.request || pinOf(ctx).current() === PLATFORM) return undefined;
	const { body, statusCode } = APIError.from("BAD_REQUEST", { code: "INVALID_OTP", message: "Invalid OTP" });
	// Better Auth would send an error with the status of the original one
	return Response.json(body, { status: statusCode });
};
