import { type ReactNode, useEffect, useState } from "react";
import type { Failure } from "./failures.ts";
import { useTenantSession } from "./hooks.ts";
import { ErrorText } from "./parts/error-text.tsx";
import { CurrentPasswordField, NameField, NewPasswordField } from "./parts/fields.tsx";
import { Form } from "./parts/form.tsx";
import { Aside } from "./parts/link.tsx";
import { Notice } from "./parts/notice.tsx";
import { useScope } from "./scope.ts";
import { type SignedInProps, type SignInResponse, useSignedIn } from "./signed-in.ts";

/**
 * Properties of `AcceptInvitation`.
 *
 * @example
 * ```tsx
 * const props: AcceptInvitationProps = { token, returnTo: "/", signInHref: "/sign-in" };
 * ```
 */
export type AcceptInvitationProps = SignedInProps & {
	/** The `token` in the address of the page. Remove it from the address when you have read it. */
	token: string;
	/** The page with `SignIn`, for users who have an account. */
	signInHref?: string;
	/** The class of the outer element. */
	className?: string;
};

type Preview = { tenant: { name: string }; email: string; methods: { email: { enabled: boolean } } };

/**
 * Accepts an invitation of `tenantInvitations()`: as the signed-in user, or as a new one with name and password. Tokens of other
 * tenants do not work.
 *
 * @example
 * ```tsx
 * const Page = () => <AcceptInvitation token={token} returnTo="/" signInHref="/sign-in" />;
 * ```
 */
export const AcceptInvitation = ({ token, className, ...props }: AcceptInvitationProps): ReactNode => {
	const { texts, send } = useScope();
	const [preview, setPreview] = useState<Preview | null>(null);
	const [failure, setFailure] = useState<Failure | null>(null);
	const { isPending } = useTenantSession();
	useEffect(() => {
		let isCurrent = true;
		const load = async (): Promise<void> => {
			const { data, failure } = await send<Preview>("/tenant/invitation/get", { query: { token } });
			if (!isCurrent) return;
			setPreview(data);
			setFailure(failure);
		};
		void load();
		return () => {
			isCurrent = false;
		};
	}, [send, token]);
	return (
		<section className={className} data-part="accept-invitation">
			{(!preview || isPending) && !failure && (
				<p role="status" data-part="loading">
					{texts.loading}
				</p>
			)}
			{failure && <ErrorText text={texts.errors[failure.text]} />}
			{preview && !isPending && <Acceptance key={token} token={token} preview={preview} {...props} />}
		</section>
	);
};

type AcceptanceProps = Omit<AcceptInvitationProps, "className"> & { preview: Preview };

const Acceptance = ({ token, preview, signInHref, ...props }: AcceptanceProps) => {
	const { texts, send } = useScope();
	const { data: session } = useTenantSession();
	const signedIn = useSignedIn(props);
	const [result, setResult] = useState<"accepted" | "enroll" | null>(null);
	const [needsPassword, setNeedsPassword] = useState(false);
	if (result) return <Notice>{texts[result]}</Notice>;
	const asNewUser = session === null && preview.methods.email.enabled;
	return (
		<>
			<p data-part="intro">{texts.invitation(preview.tenant.name, preview.email)}</p>
			<Form
				key={asNewUser ? "new" : "signed-in"}
				name="accept-invitation"
				submit={texts.accept}
				onSubmit={async (read) => {
					const password = asNewUser || needsPassword ? { password: read("password") } : {};
					const body = { token, ...(asNewUser ? { name: read("name").trim() } : {}), ...password };
					const { data, failure } = await send<SignInResponse>("/tenant/invitation/accept", { body });
					// a user whose role rises proves the password, too
					if (failure?.text === "invitationPassword") setNeedsPassword(true);
					if (failure) return failure;
					setResult(data?.secondFactor ? "enroll" : "accepted");
					if (data?.secondFactor) props.onEnroll?.();
					else signedIn();
					return null;
				}}
			>
				{asNewUser && (
					<>
						{/* password managers save the address with the password */}
						<input type="hidden" name="username" autoComplete="username" value={preview.email} />
						<NameField />
						<NewPasswordField label={texts.password} />
					</>
				)}
				{needsPassword && !asNewUser && <CurrentPasswordField />}
			</Form>
			{session === null && (
				<Aside text={texts.haveAccount} href={signInHref}>
					{texts.signIn}
				</Aside>
			)}
		</>
	);
};
