import { createAuthClient } from "better-auth/react";
import { tenantAuthClient, tenantInvitationsClient } from "better-auth-tenants/client";
import {
	AcceptInvitation,
	ENGLISH_TEXTS,
	ForgotPassword,
	ResetPassword,
	SignIn,
	type SignInProps,
	SignUp,
	safeReturnTo,
	type TenantClient,
	TenantProvider,
	TenantSwitcher,
	type Texts,
	UserButton,
	useSignInMethods,
	useTenant,
	useTenantSession,
} from "better-auth-tenants-react";
import type { ReactNode } from "react";
import { same } from "./same.ts";

const authClient: TenantClient = createAuthClient({ plugins: [tenantAuthClient(), tenantInvitationsClient()] });
const withoutPlugins: TenantClient = createAuthClient();
const texts: Texts = { ...ENGLISH_TEXTS, signIn: "Enter" };

export const App = ({ children, tenantId }: { children: ReactNode; tenantId: string | undefined }) => (
	<TenantProvider
		authClient={authClient}
		tenantId={tenantId}
		texts={texts}
		allowedOrigins={["https://app.example.com"]}
	>
		{children}
	</TenantProvider>
);

export const WithoutPlugins = () => <TenantProvider authClient={withoutPlugins} />;
// @ts-expect-error the client is required
export const WithoutClient = () => <TenantProvider tenantId="acme-id" />;

export const Pages = (props: SignInProps) => (
	<>
		<SignIn {...props} returnTo="/dashboard" signUpHref="/sign-up" onSignedIn={() => {}} offersTrustDevice />
		<SignUp signInHref="/sign-in" returnTo={null} className="card" />
		<ForgotPassword resetPath="/reset-password" />
		<ResetPassword token="t" signInHref="/sign-in" />
		<AcceptInvitation token="t" onEnroll={() => {}} />
		<UserButton accountHref="/account" onSignedOut={() => {}} />
		<TenantSwitcher tenants={[{ id: "acme-id", name: "Acme" }]} onSwitch={(id) => id.toUpperCase()} />
	</>
);

export const WrongProps = () => (
	<>
		{/* @ts-expect-error a path is a text */}
		<SignIn signUpHref={1} />
		{/* @ts-expect-error the token is required */}
		<ResetPassword />
		{/* @ts-expect-error there is no such property */}
		<UserButton href="/account" />
	</>
);

export const Home = () => {
	const { data: session, isPending } = useTenantSession();
	const { methods } = useSignInMethods();
	const { tenantId } = useTenant();
	same<typeof isPending, boolean>(true);
	same<typeof tenantId, string | null>(true);
	// @ts-expect-error a session has no such field
	session?.user.password;
	return (
		<p>
			{session?.user.name} {methods?.providers.map(({ name }) => name).join(", ")}
		</p>
	);
};

export const target: string | null = safeReturnTo("/dashboard", { origin: "https://app.example.com" });
