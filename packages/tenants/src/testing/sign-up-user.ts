import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { runWithTenant } from "../scope/tenant-context.ts";
import type { Endpoint } from "./endpoints.ts";
import type { TenantIsolationAuth, TenantIsolationNewUser, TenantIsolationOptions } from "./options.ts";
import type { Answer, Send } from "./send.ts";
import type { TenantIsolationSide, TenantIsolationUser } from "./side.ts";

type SignUpWith = {
	auth: TenantIsolationAuth;
	context: AuthContext;
	send: Send;
	signUp: TenantIsolationOptions["signUp"];
};
type ServerSignUp = (call: {
	body: { name: string; email: string; password: string };
	returnHeaders: true;
}) => Promise<{ headers: Headers }>;
type Place = Pick<TenantIsolationSide, "tenantId" | "slug" | "label">;

/** Signs a user up in a side, with the `signUp` option or with Better Auth's email sign-up. */
export const signUpUser = async (
	{ auth, context, send, signUp }: SignUpWith,
	side: Place,
	user: TenantIsolationNewUser,
): Promise<TenantIsolationUser> => {
	const { email, password } = user;
	const made = signUp ? await signUp(user) : await signUpByEmail({ auth, context, send }, side, user);
	const headers = "cookie" in made ? { cookie: made.cookie } : Object.fromEntries(new Headers(made.headers));
	const found = await runWithTenant(side.tenantId, () => context.internalAdapter.findUserById(made.userId));
	if (!found)
		throw new BetterAuthError(
			`assertTenantIsolation: the user who signed up in ${side.label} is not in that tenant. Requests must name the tenant as your resolveTenantId expects: set \`address\`, and also name the tenant in \`signUp\` if you set it.`,
		);
	return { userId: made.userId, email, password, headers, token: await tokenOf(context, side, made.userId) };
};

const signUpByEmail = async (
	{ auth, context, send }: Omit<SignUpWith, "signUp">,
	side: Place,
	{ name, email, password }: TenantIsolationNewUser,
) => {
	if (!context.options.emailAndPassword?.enabled)
		throw new BetterAuthError(
			"assertTenantIsolation: emailAndPassword is not enabled, so no user can sign up. Set `signUp` to sign users up another way.",
		);
	const post = (path: string, body: Record<string, unknown>) =>
		send({ endpoint: plainPost(path), input: { body }, headers: {}, hint: side });
	let signedUp: Pick<Answer, "status" | "text" | "cookies"> = await post("/sign-up/email", { name, email, password });
	if (signedUp.text.includes(`"${TENANT_AUTH_ERROR_CODES.PLATFORM_SIGN_UP_CLOSED.code}"`)) {
		// closed to everybody but server code
		const signUpEmail = Reflect.get(auth.api, "signUpEmail") as ServerSignUp;
		const { headers } = await signUpEmail({ body: { name, email, password }, returnHeaders: true });
		signedUp = { status: 200, text: "", cookies: headers.getSetCookie() };
	}
	if (signedUp.status !== 200)
		throw new BetterAuthError(
			`assertTenantIsolation: sign-up returned ${signedUp.status} ${signedUp.text}. Set \`signUp\` to sign users up another way.`,
		);
	const user = await runWithTenant(side.tenantId, () => context.internalAdapter.findUserByEmail(email));
	const userId = user?.user.id ?? "";
	if (signedUp.cookies.length > 0) return { userId, cookie: cookieOf(signedUp.cookies) };
	// no session: the email must be verified first, or auto sign-in is off
	await runWithTenant(side.tenantId, () => context.internalAdapter.updateUser(userId, { emailVerified: true }));
	const signedIn = await post("/sign-in/email", { email, password });
	if (signedIn.status !== 200 || signedIn.cookies.length === 0)
		throw new BetterAuthError(
			`assertTenantIsolation: sign-in returned ${signedIn.status} ${signedIn.text}. Set \`signUp\` to sign users up and in another way.`,
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
