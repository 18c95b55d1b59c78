import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { authClient } from "../api/client.ts";
import { consoleQuery } from "../api/console.ts";
import { unwrap } from "../api/problem.ts";
import { Aside } from "../sign-in/aside.tsx";
import { signOut } from "../sign-in/sign-out.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { CodeForm } from "./code-form.tsx";
import { SetUp } from "./set-up.tsx";

/** What the session lacks. A session from before the rule ends here, and goes on with a code. */
const begin = async (): Promise<"verify" | "enroll" | null> => {
	const { secondFactor } = await unwrap(authClient.tenant.secondFactor());
	if (secondFactor === "verify") await unwrap(authClient.tenant.secondFactor.challenge());
	return secondFactor;
};

/** Shows or sets up the second factor that the tenant requires. */
export const SecondFactorPage = () => {
	const { data, error, isPending } = useQuery({
		queryKey: ["second-factor"],
		queryFn: begin,
		// the challenge ends the session, so it is asked for once
		staleTime: Number.POSITIVE_INFINITY,
		retry: false,
		refetchOnWindowFocus: false,
	});
	const { returnTo } = useSearch({ from: "/second-factor" });
	const navigate = useNavigate();
	const queries = useQueryClient();
	const goOn = async (): Promise<void> => {
		queries.removeQueries({ queryKey: consoleQuery.queryKey });
		await navigate({ to: returnTo ?? "/" });
	};
	return (
		<Aside
			title={data === "enroll" ? "Set up a second factor" : "Your second factor"}
			intro={
				data === "enroll"
					? "It is required here. Use an authenticator app, for example your password manager."
					: "You need it to continue."
			}
		>
			{isPending && <Skeleton className="h-24 rounded-lg" />}
			{error && <ErrorNotice error={error} />}
			{data === "enroll" && <SetUp onDone={() => void goOn()} />}
			{data === "verify" && <CodeForm onDone={goOn} />}
			{(error || data === null) && (
				<Button kind="primary" className="min-h-10" onClick={() => void (error ? signOut() : goOn())}>
					{error ? "Sign in again" : "Go on"}
				</Button>
			)}
		</Aside>
	);
};
