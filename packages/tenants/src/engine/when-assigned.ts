import type { AuthContext } from "@better-auth/core";

type Assigned = "internalAdapter" | "options";

/**
 * Replaces what the engine assigns to its context after the `init` of all plugins: the internal adapter, and the options with
 * those of the plugins. A plugin that changes them in its `init` changes objects that the engine then drops. Afterwards it is an
 * ordinary property again, because contexts are copied for each request.
 */
export const whenAssigned = <Name extends Assigned>(
	context: AuthContext,
	name: Name,
	replace: (assigned: AuthContext[Name]) => AuthContext[Name],
): void => {
	const before = Object.getOwnPropertyDescriptor(context, name);
	const current = context[name];
	Object.defineProperty(context, name, {
		configurable: true,
		enumerable: true,
		get: () => current,
		set: (assigned: AuthContext[Name]) => {
			// another plugin of this package may wait for the same assignment
			if (before?.set) Object.defineProperty(context, name, before);
			else Object.defineProperty(context, name, { ...PLAIN, value: assigned });
			context[name] = replace(assigned);
		},
	});
};

const PLAIN = { configurable: true, enumerable: true, writable: true };
