import { useActionState } from "react";
import type { Tenant } from "./api.ts";
import { authClient } from "./auth-client.ts";

type Attempt = { error: string; name: string; email: string };

const isSignUp = location.pathname === "/sign-up";

/** Signs up or in. The address of the page decides which. */
const send = async (_before: Attempt, form: FormData): Promise<Attempt> => {
	const [name = "", email = "", password = ""] = ["name", "email", "password"].map((field) => String(form.get(field)));
	const { error } = isSignUp
		? await authClient.signUp.email({ name, email, password })
		: await authClient.signIn.email({ email, password });
	return { error: error ? (error.message ?? "The server does not respond.") : "", name, email };
};

export const Credentials = ({ tenant }: { tenant: Tenant }) => {
	const [attempt, submit, isPending] = useActionState(send, { error: "", name: "", email: "" });
	const action = isSignUp ? "Sign up" : "Sign in";
	return (
		<>
			<h1>
				{action} to {tenant.name}
			</h1>
			<nav aria-label="Account">
				<a href="/sign-in" aria-current={isSignUp ? undefined : "page"}>
					Sign in
				</a>
				<a href="/sign-up" aria-current={isSignUp ? "page" : undefined}>
					Sign up
				</a>
			</nav>
			<form className="card" action={submit}>
				{isSignUp && (
					<label>
						Name
						<input name="name" autoComplete="name" required defaultValue={attempt.name} />
					</label>
				)}
				<label>
					Email
					<input name="email" type="email" autoComplete="email" required defaultValue={attempt.email} />
				</label>
				<label>
					Password
					<input
						name="password"
						type="password"
						autoComplete={isSignUp ? "new-password" : "current-password"}
						minLength={8}
						required
					/>
				</label>
				{attempt.error && (
					<p className="wrong" role="alert">
						{attempt.error}
					</p>
				)}
				<button type="submit" disabled={isPending}>
					{action}
				</button>
			</form>
			<p className="quiet">
				Your account at {tenant.name} is separate from any account at another tenant, also with the same email.
			</p>
		</>
	);
};
