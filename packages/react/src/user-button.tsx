import { type ReactNode, useState } from "react";
import type { SignedInUser } from "./client.ts";
import type { Failure } from "./failures.ts";
import { useTenantSession } from "./hooks.ts";
import { ErrorText } from "./parts/error-text.tsx";
import { isWebAddress } from "./return-to.ts";
import { useScope } from "./scope.ts";
import { useMenu } from "./use-menu.ts";

/**
 * Properties of `UserButton`.
 *
 * @example
 * ```tsx
 * const props: UserButtonProps = { accountHref: "/account", onSignedOut: () => location.assign("/") };
 * ```
 */
export type UserButtonProps = {
	/** The page of the user's account. Without it, the menu has no such entry. */
	accountHref?: string;
	/** Called after the user signed out of this tenant. Sessions of other tenants stay. */
	onSignedOut?: () => void;
	/** The class of the outer element. */
	className?: string;
};

/**
 * Shows who is signed in, with a menu for the account and for signing out. Shows nothing if nobody is signed in to this tenant.
 * Keys work as in the menu button pattern of the ARIA Authoring Practices Guide.
 *
 * @example
 * ```tsx
 * const Header = () => (
 * 	<header>
 * 		<UserButton accountHref="/account" />
 * 	</header>
 * );
 * ```
 */
export const UserButton = (props: UserButtonProps): ReactNode => {
	const { data: session } = useTenantSession();
	return session && <Menu key={session.user.id} user={session.user} {...props} />;
};

const Menu = ({ user, accountHref, onSignedOut, className }: UserButtonProps & { user: SignedInUser }) => {
	const { texts, send, authClient } = useScope();
	const { isOpen, root, button, popup, close } = useMenu();
	const [failure, setFailure] = useState<Failure | null>(null);
	const signOut = async (): Promise<void> => {
		close();
		const { failure } = await send("/sign-out", { body: {} });
		setFailure(failure);
		if (failure) return;
		authClient.$store.notify("$sessionSignal");
		onSignedOut?.();
	};
	const item = { role: "menuitem", tabIndex: -1, "data-part": "menu-item" };
	return (
		<div {...root} className={className} data-part="user-button">
			<button {...button} type="button" aria-label={texts.accountMenu(user.name)} data-part="user-trigger">
				{user.name}
			</button>
			{isOpen && (
				// can be focused, so that a click on the name does not count as one elsewhere
				<div tabIndex={-1} data-part="user-popup">
					<p data-part="user-name">{user.name}</p>
					<p data-part="user-email">{user.email}</p>
					<div {...popup} role="menu" aria-label={texts.accountMenu(user.name)} data-part="menu">
						{accountHref !== undefined && isWebAddress(accountHref) && (
							<a {...item} href={accountHref} data-item="account">
								{texts.account}
							</a>
						)}
						<button {...item} type="button" onClick={signOut} data-item="sign-out">
							{texts.signOut}
						</button>
					</div>
				</div>
			)}
			<ErrorText text={failure ? texts.errors[failure.text] : ""} />
		</div>
	);
};
