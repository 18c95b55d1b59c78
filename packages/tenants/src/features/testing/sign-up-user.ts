import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { runInTenant } from "../../scope/pin/tenant-context.ts";
import { cookieHeader } from "./cookie-header.ts";
import { knownEndpoint } from "./endpoints.ts";
import type { TenantIsolationAuth, TenantIsolationNewUser, TenantIsolationOptions } from "./options.ts";
import type { Answer, Send } from "./send.ts";
import { tokenOf } from "./session-token.ts";
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
type Response = Pick<Answer, "status" | "text" | "cookies" | "logged">;

/** Signs a user up in a side, with the `signUp` option or with Better Auth's email sign-up. */
export const signUpUser = async (
	{ auth, context, send, signUp }: SignUpWith,
	side: Place,
	user: TenantIsolationNewUser,
): Promise<TenantIsolationUser> => {
	const { email, password } = user;
	const made = signUp ? await signUp(user) : await signUpByEmail({ auth, context, send }, side, user);
	const headers = "cookie" in made ? { cookie: made.cookie } : Object.fromEntries(new Headers(made.headers));
	const found = await runInTenant(side.tenantId, () => context.internalAdapter.findUserById(made.userId));
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
		send({ endpoint: knownEndpoint("POST", path), input: { body }, headers: {}, hint: side });
	let signedUp: Response = await post("/sign-up/email", { name, email, password });
	if (signedUp.text.includes(`"${TENANT_AUTH_ERROR_CODES.PLATFORM_SIGN_UP_CLOSED.code}"`)) {
		// closed to everybody but server code
		const signUpEmail = Reflect.get(auth.api, "signUpEmail") as ServerSignUp;
		const { headers } = await signUpEmail({ body: { name, email, password }, returnHeaders: true });
		signedUp = { status: 200, text: "", cookies: headers.getSetCookie(), logged: [] };
	}
	// only invited users can sign up, or nobody; an administrator would create the user
	if (signedUp.status === 403 || signedUp.status === 400) await createUser(context, side, { name, email, password });
	else if (signedUp.status !== 200) throw failure("sign-up", signedUp);
	const user = await runInTenant(side.tenantId, () => context.internalAdapter.findUserByEmail(email));
	if (!user && signedUp.status !== 200) throw failure("sign-up", signedUp);
	// empty if they signed up in another tenant, which the caller reports
	const userId = user?.user.id ?? "";
	if (signedUp.cookies.length > 0) return { userId, cookie: cookieHeader("", signedUp.cookies) };
	// no session: the email must be verified first, or auto sign-in is off
	await runInTenant(side.tenantId, () => context.internalAdapter.updateUser(userId, { emailVerified: true }));
	const signedIn = await post("/sign-in/email", { email, password });
	if (signedIn.status !== 200 || signedIn.cookies.length === 0) throw failure("sign-in", signedIn);
	return { userId, cookie: cookieHeader("", signedIn.cookies) };
};

/** Creates a user as server code does, with the application's database hooks. */
const createUser = async (
	{ internalAdapter, password: passwords }: AuthContext,
	{ tenantId }: Place,
	{ name, email, password }: Omit<TenantIsolationNewUser, "tenantId">,
): Promise<void> => {
	try {
		await runInTenant(tenantId, async () => {
			const { id } = await internalAdapter.createUser({ name, email, emailVerified: true }, { method: "admin" });
			const hash = await passwords.hash(password);
			await internalAdapter.linkAccount({ userId: id, accountId: id, providerId: "credential", password: hash });
		});
	} catch {
		// the caller finds no user, and reports why the sign-up failed, which says more
	}
};

const failure = (what: "sign-up" | "sign-in", { status, text, logged }: Response): BetterAuthError =>
	new BetterAuthError(
		`assertTenantIsolation: ${what} returned ${status} ${text}. Set \`signUp\` to sign users up and in another way.${logged.length > 0 ? ` Better Auth logged: ${logged.join("; ")}` : ""}`,
	);
