/**
 * Passes every value of a property through `admit`, which returns what to keep or throws. Starts with the present value.
 * Guards of one property add up: the value must pass all of them.
 */
export const guardProperty = <Target extends object, Name extends keyof Target>(
	target: Target,
	name: Name,
	admit: (next: Target[Name]) => Target[Name],
): void => {
	const earlier = Object.getOwnPropertyDescriptor(target, name)?.set;
	let held = admit(target[name]);
	const hold = (next: Target[Name]): void => {
		earlier?.call(target, next);
		held = admit(next);
	};
	Object.defineProperty(target, name, { configurable: true, enumerable: true, get: () => held, set: hold });
};
