"use client";

import { useActionState } from "react";
import { authClient } from "./auth-client.ts";

type Action = "Sign in" | "Sign up";
type Attempt = { error: string; name: string; email: string };

/** Calls Better Auth over HTTP, so its rate limits apply. The page of the user is loaded afterwards. */
const send = async (action: Action, form: FormData): Promise<Attempt> => {
	const [name = "", email = "", password = ""] = ["name", "email", "password"].map((field) => String(form.get(field)));
	const { error } =
		action === "Sign up"
			? await authClient.signUp.email({ name, email, password })
			: await authClient.signIn.email({ email, password });
	if (!error) location.assign("/");
	return { error: error ? (error.message ?? "The server does not respond.") : "", name, email };
};

/** The form of the sign-in page and of the sign-up page. */
export const Credentials = ({ action, tenant }: { action: Action; tenant: string }) => {
	const [attempt, submit, isPending] = useActionState((_before: Attempt, form: FormData) => send(action, form), {
		error: "",
		name: "",
		email: "",
	});
	const isSignUp = action === "Sign up";
	return (
		<>
			<h1>
				{action} to {tenant}
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
				Your account at {tenant} is separate from any account at another tenant, also with the same email.
			</p>
		</>
	);
};
