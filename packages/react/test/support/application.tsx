import { createAuthClient } from "better-auth/react";
import type { SignInMethods } from "better-auth-tenants";
import { tenantAuthClient } from "better-auth-tenants/client";
import { StrictMode, useEffect, useState } from "react";
import {
	AcceptInvitation,
	ForgotPassword,
	ResetPassword,
	SignIn,
	SignUp,
	TenantProvider,
	TenantSwitcher,
	UserButton,
	useTenantSession,
} from "../../src/index.ts";

export type Given = { path: string; query: string; initialMethods?: SignInMethods };

declare global {
	interface Window {
		/** shows another tenant, as an application's own switch would */
		switchTo: (tenantId: string) => void;
		/** what the components called */
		called: string[];
		given: Given;
	}
}

/** The application of the tests: one page per component, and who is signed in. */
export const Application = ({ path, query, initialMethods }: Given) => {
	const parameters = new URLSearchParams(query);
	const [authClient] = useState(() =>
		createAuthClient({ plugins: [tenantAuthClient()], sessionOptions: { refetchOnWindowFocus: false } }),
	);
	const [tenantId, setTenantId] = useState(parameters.get("tenant") ?? undefined);
	useEffect(() => {
		window.switchTo = setTenantId;
	}, []);
	return (
		<StrictMode>
			<TenantProvider authClient={authClient} tenantId={tenantId} initialMethods={initialMethods}>
				<header>
					<UserButton accountHref="/account" onSignedOut={() => window.called.push("signed out")} />
					<TenantSwitcher tenants={knownTenants(parameters)} onSwitch={setTenantId} />
				</header>
				<main>
					<h1>{path}</h1>
					<View path={path} parameters={parameters} />
					<Who />
				</main>
			</TenantProvider>
		</StrictMode>
	);
};

const knownTenants = (parameters: URLSearchParams) => [
	...parameters.getAll("known").map((id) => ({ id, name: `Tenant ${id}` })),
	{ id: "linked", name: "Linked", url: "https://linked.example.com" },
	{ id: "script", name: "Script", url: "javascript:alert(1)" },
];

const View = ({ path, parameters }: { path: string; parameters: URLSearchParams }) => {
	const token = parameters.get("token") ?? "";
	const after = {
		returnTo: parameters.get("returnTo"),
		...(parameters.has("calls") ? { onSignedIn: () => void window.called.push("signed in") } : {}),
	};
	if (path === "/sign-up") return <SignUp {...after} signInHref="/sign-in" />;
	if (path === "/forgot-password") return <ForgotPassword resetPath="/reset-password" signInHref="/sign-in" />;
	if (path === "/reset-password") return <ResetPassword token={token} signInHref="/sign-in" />;
	if (path === "/invitation") return <AcceptInvitation {...after} token={token} signInHref="/sign-in" />;
	if (path === "/guarded") return <Guarded />;
	if (path !== "/sign-in") return null;
	return (
		<SignIn
			{...after}
			signUpHref="/sign-up"
			forgotPasswordHref="/forgot-password"
			onEnroll={() => window.called.push("enroll")}
			offersTrustDevice
		/>
	);
};

/** Shows the form when nothing is pending, as the documentation does. */
const Guarded = () => {
	const { data, isPending, refetch } = useTenantSession();
	if (isPending) return <p>pending</p>;
	return (
		<>
			{!data && <SignIn />}
			<button type="button" onClick={() => refetch()}>
				Load the session again
			</button>
		</>
	);
};

const Who = () => {
	const { data, isPending } = useTenantSession();
	return <output data-user={data?.user.id}>{isPending ? "pending" : (data?.user.email ?? "nobody")}</output>;
};
