import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { authClient } from "../api/client.ts";
import { consoleQuery } from "../api/console.ts";
import { unwrap } from "../api/problem.ts";
import { CodeForm } from "../second-factor/code-form.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { Aside } from "./aside.tsx";

/** Email and password, and a code if the account has a second factor. */
export const SignInPage = () => {
	const [isCodeAsked, setCodeAsked] = useState(false);
	const { returnTo } = useSearch({ from: "/sign-in" });
	const navigate = useNavigate();
	const queries = useQueryClient();
	const goOn = async (): Promise<void> => {
		queries.removeQueries({ queryKey: consoleQuery.queryKey });
		await navigate({ to: returnTo ?? "/" });
	};
	const signIn = async (email: string, password: string): Promise<void> => {
		const answer = await unwrap(authClient.signIn.email({ email, password }));
		if (!("twoFactorRedirect" in answer && answer.twoFactorRedirect)) return goOn();
		// the tenant requires a second factor, and the user has none yet
		if ("secondFactor" in answer && answer.secondFactor === "enroll")
			return navigate({ to: "/second-factor", search: returnTo ? { returnTo } : {} });
		setCodeAsked(true);
	};
	if (isCodeAsked)
		return (
			<Aside title="Enter your code">
				<CodeForm onDone={goOn} />
			</Aside>
		);
	return (
		<Aside title="Sign in to the console" intro="For operators and admins.">
			<PasswordForm onSubmit={signIn} />
		</Aside>
	);
};

const PasswordForm = ({ onSubmit }: { onSubmit: (email: string, password: string) => Promise<void> }) => {
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		const form = new FormData(event.currentTarget);
		setBusy(true);
		setProblem(null);
		await onSubmit(String(form.get("email")), String(form.get("password"))).catch(setProblem);
		setBusy(false);
	};
	return (
		<form onSubmit={submit} className="grid gap-4">
			{problem !== null && <ErrorNotice error={problem} />}
			<TextField label="Email" name="email" type="email" autoComplete="username" required />
			<TextField label="Password" name="password" type="password" autoComplete="current-password" required />
			<Button type="submit" kind="primary" isBusy={isBusy} className="min-h-10">
				Sign in
			</Button>
		</form>
	);
};
