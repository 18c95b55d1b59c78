import type { GenericEndpointContext } from "@better-auth/core";
import * as z from "zod";
import type { SignInWay } from "../../endpoints/endpoint.ts";
import { endpointOf } from "../../endpoints/endpoints.ts";

const METHODS = [
	"password",
	"username",
	"phoneNumber",
	"magicLink",
	"emailOtp",
	"passkey",
	"anonymous",
	"siwe",
	"oneTap",
	"sso",
	"device",
] as const satisfies SignInWay[];

/**
 * A way to sign in. `social:google` is the social provider `google`. `device` is the device authorization of another device.
 *
 * @example
 * ```ts
 * const methods: SignInMethod[] = ["sso", "passkey", "social:google"];
 * ```
 */
export type SignInMethod = (typeof METHODS)[number] | `social:${string}`;

const socialMethod = z.custom<`social:${string}`>(
	(sent) => typeof sent === "string" && /^social:[A-Za-z0-9][\w-]{0,63}$/.test(sent),
	`must be one of ${METHODS.join(", ")}, or social:PROVIDER`,
);

export const signInMethod: z.ZodType<SignInMethod> = z.union([z.enum(METHODS), socialMethod]);

/** What a policy says about methods. */
export type MethodRules = { methods: SignInMethod[] | "any"; breakGlassUserIds: string[] };

/** How the running request signs a user in. Null if nothing says so. */
export const methodOf = (
	ctx: Pick<GenericEndpointContext, "path" | "params" | "body" | "context"> | null,
): SignInMethod | null => {
	if (!ctx) return null;
	const way = endpointOf(ctx.path).signsInWith;
	switch (way) {
		case null:
		case "unknown":
			return null;
		case "social":
			return socialMethodOf(ctx);
		// a challenge without a session has its own record, see second-factor/challenge-method.ts
		case "challenge":
		case "continues":
			return methodOfSession(ctx.context.session?.session);
		default:
			return way;
	}
};

const socialMethodOf = ({ params, body }: Pick<GenericEndpointContext, "params" | "body">): SignInMethod | null => {
	const provider: unknown = params?.id ?? body?.provider;
	return typeof provider === "string" ? `social:${provider}` : null;
};

/** How the user of a session signed in. Null in sessions from before `tenantPolicy()`. */
export const methodOfSession = (session: object | null | undefined): SignInMethod | null => {
	const method = session && "signInMethod" in session ? session.signInMethod : null;
	return typeof method === "string" ? (method as SignInMethod) : null;
};

/** Whether the rules allow a user to sign in with a method. An unknown method is not allowed if any is excluded. */
export const allowsMethod = (
	{ methods, breakGlassUserIds }: MethodRules,
	method: SignInMethod | null,
	userId: string | null,
): boolean => {
	if (methods === "any") return true;
	if (method === null) return false;
	return methods.includes(method) || (method === "password" && userId !== null && breakGlassUserIds.includes(userId));
};
