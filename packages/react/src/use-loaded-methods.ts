import type { SignInMethods } from "better-auth-tenants";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Failure } from "./failures.ts";
import type { MethodsState } from "./scope.ts";
import type { Send } from "./send.ts";
import type { Texts } from "./texts.ts";

type Loaded = { methods: SignInMethods | null; failure: Failure | null };

const NOTHING: Loaded = { methods: null, failure: null };

/** Loads the sign-in methods of the tenant once, unless they are given. */
export const useLoadedMethods = (send: Send, texts: Texts, initial: SignInMethods | null): MethodsState => {
	const [{ methods, failure }, setLoaded] = useState<Loaded>({ methods: initial, failure: null });
	const isKnown = initial !== null;
	const load = useCallback(async () => {
		const { data, failure } = await send<SignInMethods>("/tenant/methods");
		setLoaded({ methods: data, failure });
	}, [send]);
	useEffect(() => {
		if (!isKnown) void load();
	}, [isKnown, load]);
	return useMemo(
		() => ({
			methods,
			isPending: methods === null && failure === null,
			error: failure && texts.errors[failure.text],
			retry: () => {
				setLoaded(NOTHING);
				void load();
			},
		}),
		[methods, failure, texts, load],
	);
};
