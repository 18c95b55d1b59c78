import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { runWithTenant } from "../scope/tenant-context.ts";
import type { Endpoint } from "./endpoints.ts";
import type { TenantIsolationNewUser, TenantIsolationOptions } from "./options.ts";
import type { Send } from "./send.ts";
import type { TenantIsolationSide, TenantIsolationUser } from "./side.ts";

type SignUpWith = { context: AuthContext; send: Send; signUp: TenantIsolationOptions["signUp"] };
type Place = Pick<TenantIsolationSide, "tenantId" | "slug" | "label">;

/** Signs one user up in a side, by the application's own way or the engine's. */
export const signUpUser = async (
	{ context, send, signUp }: SignUpWith,
	side: Place,
	user: TenantIsolationNewUser,
): Promise<TenantIsolationUser> => {
	const { email, password } = user;
	const made = signUp ? await signUp(user) : await signUpByEmail(context, send, side, user);
	const headers = "cookie" in made ? { cookie: made.cookie } : Object.fromEntries(new Headers(made.headers));
	const found = await runWithTenant(side.tenantId, () => context.internalAdapter.findUserById(made.userId));
	if (!found)
		throw new BetterAuthError(
			`assertTenantIsolation: who signed up in ${side.label} is not in its tenant. Name the tenant in the request the way your resolveTenantId reads it: give \`address\` (and do so in \`signUp\`, if you give that).`,
		);
	return { userId: made.userId, email, password, headers, token: await tokenOf(context, side, made.userId) };
};

const signUpByEmail = async (
	context: AuthContext,
	send: Send,
	side: Place,
	{ name, email, password }: TenantIsolationNewUser,
) => {
	if (!context.options.emailAndPassword?.enabled)
		throw new BetterAuthError(
			"assertTenantIsolation: emailAndPassword is not enabled, so nobody can be signed up. Say how with `signUp`.",
		);
	const post = (path: string, body: Record<string, unknown>) =>
		send({ endpoint: plainPost(path), input: { body }, headers: {}, hint: side });
	const signedUp = await post("/sign-up/email", { name, email, password });
	if (signedUp.status !== 200)
		throw new BetterAuthError(
			`assertTenantIsolation: signing up answered ${signedUp.status} ${signedUp.text}. Say how to sign somebody up with \`signUp\`.`,
		);
	const user = await runWithTenant(side.tenantId, () => context.internalAdapter.findUserByEmail(email));
	const userId = user?.user.id ?? "";
	if (signedUp.cookies.length > 0) return { userId, cookie: cookieOf(signedUp.cookies) };
	// the address has to be verified first, or nobody is signed in by signing up
	await runWithTenant(side.tenantId, () => context.internalAdapter.updateUser(userId, { emailVerified: true }));
	const signedIn = await post("/sign-in/email", { email, password });
	if (signedIn.status !== 200 || signedIn.cookies.length === 0)
		throw new BetterAuthError(
			`assertTenantIsolation: signing in answered ${signedIn.status} ${signedIn.text}. Say how to sign somebody up and in with \`signUp\`.`,
		);
	return { userId, cookie: cookieOf(signedIn.cookies) };
};

const plainPost = (path: string): Endpoint => ({
	label: `POST ${path}`,
	name: path,
	path,
	method: "POST",
	kind: "entry",
	bodies: [],
	queries: [],
	params: [],
	guessed: false,
});

const cookieOf = (lines: string[]): string => lines.map((line) => line.split(";")[0]).join("; ");

const tokenOf = async (context: AuthContext, side: Place, userId: string): Promise<string | undefined> => {
	const sessions = await runWithTenant(side.tenantId, () => context.internalAdapter.listSessions(userId));
	return sessions.at(-1)?.token;
};
