/** How a property of the object is read, if not as it is. */
type Read<Target> = (target: Target, name: string | symbol) => unknown;

/** One object that stands for another, which may be a different one each time. Everything is read from that one and written to it. */
export const forwardTo = <Target extends object>(find: () => Target, read: Read<Target>): Target =>
	new Proxy({} as Target, {
		get: (_, name) => read(find(), name),
		set: (_, name, value) => Reflect.set(find(), name, value),
		has: (_, name) => Reflect.has(find(), name),
		deleteProperty: (_, name) => Reflect.deleteProperty(find(), name),
		defineProperty: (_, name, property) => Reflect.defineProperty(find(), name, property),
		ownKeys: () => Reflect.ownKeys(find()),
		getPrototypeOf: () => Reflect.getPrototypeOf(find()),
		getOwnPropertyDescriptor: (_, name) => {
			const property = Reflect.getOwnPropertyDescriptor(find(), name);
			// a proxy may not report a fixed property that its target lacks
			return property && { ...property, configurable: true };
		},
	});
