export type Sender = { name: string; address: string };

const ADDRESS = /^[^<>\s@]+@[^<>\s@]+$/;

/** Parses `Example <auth@example.com>` or a plain address; null if it is neither. */
export const parseSender = (given: string): Sender | null => {
	const text = given.trim();
	if (ADDRESS.test(text)) return { name: "", address: text };
	const open = text.indexOf("<");
	if (open < 0 || !text.endsWith(">")) return null;
	const [name, address] = [unquoted(text.slice(0, open).trim()), text.slice(open + 1, -1)];
	return ADDRESS.test(address) && !/[">\r\n]/.test(name) ? { name: name.trim(), address } : null;
};

const unquoted = (name: string): string =>
	name.slice(name.startsWith('"') ? 1 : 0, name.length > 1 && name.endsWith('"') ? -1 : undefined);
