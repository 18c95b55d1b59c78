import { brush, type Theme } from "./parts.ts";

const STEPS = [
	["Read the tenant", "from the token"],
	["Derive the secret", "HKDF(auth secret, acme)"],
	["Verify the cookie", "by its signature"],
	["Read the session", "where tenantId = acme"],
];

/** A session cookie, how it is checked, and what a second process needs. */
export const drawSessions = (theme: Theme): string => {
	const { text, box, card, dot, arrow, picture } = brush(theme);
	return picture(
		430,
		"A session cookie and how it is checked",
		"The cookie contains 32 random characters, a tag with the tenant and a signature. The server reads the tenant from the tag, derives the tenant's secret, checks the signature and reads the session in that tenant. Every process needs the same auth secret, database and Redis.",
		[
			text(24, 50, "Cookie of acme.app.example.com", { size: 16, bold: true }),
			card(24, 70, 912, 62, "acme"),
			text(44, 107, "kq3V…32 random characters", { mono: true }),
			text(276, 107, "~", { mono: true, bold: true, owner: "acme" }),
			text(300, 107, "base64url(tenant id)", { mono: true, owner: "acme" }),
			text(492, 107, ".", { mono: true, bold: true }),
			text(516, 107, "signature with the secret of the tenant", { mono: true, soft: true }),
			...STEPS.flatMap(([first = "", second = ""], index) => {
				const x = 24 + index * 234;
				return [
					box(x, 176, 210, 84, "acme"),
					dot(x + 24, 204, String(index + 1)),
					text(x + 46, 209, first, { bold: true }),
					text(x + 24, 241, second, { size: 13, soft: true }),
					...(index < STEPS.length - 1 ? [arrow(`M${x + 210} 218H${x + 232}`, "acme")] : []),
				];
			}),
			arrow("M372 132V154H129V174", "acme"),
			text(24, 306, "Every process needs the same", { bold: true }),
			...["auth secret", "database", "Redis, if you use it"].flatMap((words, index) => [
				card(24 + index * 156, 322, 144, 40),
				text(96 + index * 156, 347, words, { size: 13, middle: true }),
			]),
			text(24, 392, "Nothing else is shared. Any process can serve any request.", { size: 13, soft: true }),
			text(516, 306, "In another tenant", { bold: true, owner: "stop" }),
			box(516, 322, 420, 84, "stop"),
			text(536, 350, "Changed tag: another secret, so the signature is wrong.", { size: 13 }),
			text(536, 372, "Sent to globex: SESSION_TENANT_MISMATCH.", { size: 13 }),
			text(536, 394, "Browsers do not send it to another host.", { size: 13 }),
		],
	);
};
