import * as z from "zod";

/** What each kind of variable accepts. Every refusal says the mend; the name of the variable is put before it. */
export const text = () => z.string().trim().min(1);

export const flag = (fallback: boolean) =>
	z
		.enum(["true", "false", "on", "off"], { error: "is neither true nor false. Write true or false" })
		.transform((value) => value === "true" || value === "on")
		.default(fallback);

export const number = ({ least = 1, most = 1_000_000 } = {}) =>
	z
		.string()
		.regex(/^\d+$/, { error: `is not a whole number. Give one from ${least} to ${most}` })
		.transform(Number)
		.refine((value) => value >= least && value <= most, {
			error: `is out of range. Give a whole number from ${least} to ${most}`,
		});

export const count = (fallback: number, range: Parameters<typeof number>[0] = {}) => number(range).default(fallback);

export const seconds = (fallback: number, { least = 0, most = 31_536_000 } = {}) =>
	z
		.string()
		.regex(/^\d+(\.\d+)?$/, { error: "is not a number of seconds. Write 10 for ten seconds" })
		.transform(Number)
		.refine((value) => value >= least && value <= most, {
			error: `is out of range. Give a number of seconds from ${least} to ${most}`,
		})
		.default(fallback);

/** `a, b` as ["a", "b"]; nothing as []. */
export const list = () =>
	z
		.string()
		.transform((value) =>
			value
				.split(",")
				.map((part) => part.trim())
				.filter((part) => part !== ""),
		)
		.default([]);

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values, fallback: Values[number]) =>
	z.enum(values, { error: `is unknown. Take one of ${values.join(", ")}` }).default(fallback);

/** A URL with one of these schemes. Its value is never repeated in a message: it may hold a password. */
export const url = (...schemes: string[]) =>
	text().refine(
		(value) => {
			const { protocol = "", hostname = "" } = URL.parse(value) ?? {};
			return schemes.includes(protocol) && hostname !== "";
		},
		{ error: `is not a URL. Write it as ${schemes.map((scheme) => `${scheme}//…`).join(" or ")}` },
	);
