import * as z from "zod";

/** The types of variables. Every error says how to fix it and is prefixed with the variable's name. */
export const text = () => z.string().trim().min(1);

export const flag = (fallback: boolean) =>
	z
		.enum(["true", "false", "on", "off"], { error: "is neither true nor false. Use true or false" })
		.transform((value) => value === "true" || value === "on")
		.default(fallback);

export const number = ({ least = 1, most = 1_000_000 } = {}) =>
	z
		.string()
		.regex(/^\d+$/, { error: `is not a whole number. Use one from ${least} to ${most}` })
		.transform(Number)
		.refine((value) => value >= least && value <= most, {
			error: `is out of range. Use a whole number from ${least} to ${most}`,
		});

export const count = (fallback: number, range: Parameters<typeof number>[0] = {}) => number(range).default(fallback);

export const seconds = (fallback: number, { least = 0, most = 31_536_000 } = {}) =>
	z
		.string()
		.regex(/^\d+(\.\d+)?$/, { error: "is not a number of seconds. Use 10 for ten seconds" })
		.transform(Number)
		.refine((value) => value >= least && value <= most, {
			error: `is out of range. Use a number of seconds from ${least} to ${most}`,
		})
		.default(fallback);

/** Parses `a, b` as ["a", "b"]; [] if unset. */
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
	z.enum(values, { error: `is unknown. Choose from ${values.join(", ")}` }).default(fallback);

/** A URL with one of these schemes. Messages never repeat its value, because it may contain a password. */
export const url = (...schemes: string[]) =>
	text().refine(
		(value) => {
			const { protocol = "", hostname = "" } = URL.parse(value) ?? {};
			return schemes.includes(protocol) && hostname !== "";
		},
		{ error: `is not a URL of the right kind. Use ${schemes.map((scheme) => `${scheme}//…`).join(" or ")}` },
	);

/** One of the operator's pages: a URL, or a path on the host of the request. */
export const page = () =>
	text().refine(
		(value) =>
			/^\/(?![/\\])/.test(value)
				? URL.canParse(value, "https://localhost")
				: /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
		{ error: "is neither a URL nor a path. Use https://app.example.com/login or /login" },
	);
