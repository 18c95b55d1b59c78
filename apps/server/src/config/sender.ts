export type Sender = { name: string; address: string };

/** `Example <auth@example.com>`, or the address alone; null where it is neither. */
export const parseSender = (given: string): Sender | null => {
	const [, name = "", bracketed, plain] =
		/^(?:"?([^"<>\r\n]*?)"?\s*<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/.exec(given.trim()) ?? [];
	const address = bracketed ?? plain;
	return address ? { name: name.trim(), address } : null;
};
