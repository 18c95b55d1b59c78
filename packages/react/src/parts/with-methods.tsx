import type { SignInMethods } from "better-auth-tenants";
import type { ReactNode } from "react";
import { useScope } from "../scope.ts";
import { ErrorText } from "./error-text.tsx";

/** Shows what needs the tenant's methods, when they are there. */
export const WithMethods = ({ children }: { children: (methods: SignInMethods) => ReactNode }) => {
	const { texts, methods } = useScope();
	if (methods.methods) return children(methods.methods);
	if (methods.isPending)
		return (
			<p role="status" data-part="loading">
				{texts.loading}
			</p>
		);
	return (
		<>
			<ErrorText text={methods.error ?? ""} />
			<button type="button" data-part="retry" onClick={methods.retry}>
				{texts.retry}
			</button>
		</>
	);
};
