import type { SignInMethods } from "better-auth-tenants";
import { createContext, use } from "react";
import type { SessionState, TenantClient } from "./client.ts";
import type { Send } from "./send.ts";
import type { Texts } from "./texts.ts";

/**
 * What `useSignInMethods()` returns.
 *
 * @example
 * ```tsx
 * const { methods, isPending, error, retry }: MethodsState = useSignInMethods();
 * ```
 */
export type MethodsState = {
	/** The methods, or null while they are being loaded and if that failed. */
	methods: SignInMethods | null;
	/** Whether the methods are still being loaded. */
	isPending: boolean;
	/** Why the methods could not be loaded, in the words of `texts`, or null. */
	error: string | null;
	/** Loads the methods again after an error. */
	retry: () => void;
};

/** What the components below a provider share. All of it belongs to one tenant. */
export type Scope = {
	authClient: TenantClient;
	tenantId: string | null;
	texts: Texts;
	allowedOrigins: readonly string[];
	methods: MethodsState;
	session: SessionState;
	send: Send;
};

export const ScopeContext = createContext<Scope | null>(null);

export const useScope = (): Scope => {
	const scope = use(ScopeContext);
	if (!scope) throw new Error("There is no TenantProvider. Render one above the components and hooks that use it.");
	return scope;
};
