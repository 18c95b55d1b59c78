import type { Session, User } from "@better-auth/core/db";

/** The part of an endpoint that names the types of its input and response. The engine's sign-in and sign-up have one. */
type Inferred<Types> = { options: { metadata: { $Infer: Types } } };

type InTenant = { tenantId: string };

/** The session type of an application, read from its `auth.api`. */
type SessionOf<Api> = Api extends { listSessions: (...given: never[]) => Promise<(infer Found)[]> }
	? Found & InTenant
	: Session & InTenant;

type EngineSignIn<Api> = Api extends { signInEmail: Inferred<{ returned: infer Returned }> }
	? Returned
	: { redirect: boolean; token: string; url?: string | undefined; user: User & InTenant };

type EngineSignUp<Api> = Api extends { signUpEmail: Inferred<{ returned: infer Returned }> }
	? Returned
	: { token: string | null; user: User & InTenant };

type EngineSignUpBody<Api> = Api extends { signUpEmail: Inferred<{ body: infer Body }> }
	? Body
	: {
			name: string;
			email: string;
			password: string;
			image?: string | undefined;
			callbackURL?: string | undefined;
			rememberMe?: boolean | undefined;
			/** The application's own fields, unknown without its type. */
			[field: string]: unknown;
		};

/** The body of a sign-up in an application, with its additional fields. */
export type SignUpBody<Api> = EngineSignUpBody<Api> & { tenantId?: string | undefined };

/** The response of a sign-up. The session is null if email verification is required or auto sign-in is off. */
export type SignUpResponse<Api> = EngineSignUp<Api> & { user: InTenant; session: SessionOf<Api> | null };

/**
 * The response of a sign-in. If a second factor is required, it contains `twoFactorRedirect` and neither user nor
 * session, although the types have them, like the types of the engine's own sign-in.
 */
export type SignInResponse<Api> = EngineSignIn<Api> & {
	user: InTenant;
	session: SessionOf<Api>;
	twoFactorRedirect?: boolean | undefined;
};
