import { ENGLISH_TEXTS, SignIn, SignUp, TenantProvider } from "better-auth-tenants-react";
import { authClient, type Tenant } from "./auth-client.ts";
import "./credentials.css";

const isSignUp = location.pathname === "/sign-up";

const texts = { ...ENGLISH_TEXTS, signUp: "Sign up" };

/** Signs up or in. The address of the page decides which, and the host decides the tenant. */
export const Credentials = ({ tenant }: { tenant: Tenant }) => (
	<>
		<h1>
			{isSignUp ? "Sign up" : "Sign in"} to {tenant.name}
		</h1>
		<nav aria-label="Account">
			<a href="/sign-in" aria-current={isSignUp ? undefined : "page"}>
				Sign in
			</a>
			<a href="/sign-up" aria-current={isSignUp ? "page" : undefined}>
				Sign up
			</a>
		</nav>
		<TenantProvider authClient={authClient} texts={texts}>
			{isSignUp ? <SignUp className="card" /> : <SignIn className="card" />}
		</TenantProvider>
		<p className="quiet">
			Your account at {tenant.name} is separate from any account at another tenant, also with the same email.
		</p>
	</>
);
