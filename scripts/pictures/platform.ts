import { brush, type Owner, type Theme } from "./parts.ts";

const HOSTS: { host: string; owner: Owner; y: number }[] = [
	{ host: "app.example.com", owner: "platform", y: 76 },
	{ host: "acme.app.example.com", owner: "acme", y: 216 },
	{ host: "globex.app.example.com", owner: "globex", y: 296 },
	{ host: "unknown.app.example.com", owner: "stop", y: 376 },
];

/** Which host belongs to whom, and what operators of the platform may do. */
export const drawPlatform = (theme: Theme): string => {
	const { text, box, card, arrow, picture } = brush(theme);
	return picture(
		430,
		"The platform and its tenants",
		"The host app.example.com belongs to the platform, where operators sign in. acme.app.example.com and globex.app.example.com belong to tenants. Any other host gets 404. Operators manage tenants through the management endpoints only.",
		[
			...HOSTS.flatMap(({ host, owner, y }) => [
				card(24, y - 22, 222, 44, owner),
				text(135, y + 5, host, { mono: true, size: 13, middle: true }),
				arrow(`M246 ${y}H318`, owner),
			]),
			box(320, 24, 300, 104, "platform"),
			text(340, 54, "Platform", { size: 18, bold: true }),
			text(340, 80, "operators, with a role or by id", { size: 13, soft: true }),
			text(340, 102, "users from before there were tenants", { size: 13, soft: true }),
			box(320, 186, 300, 60, "acme"),
			text(340, 212, "acme", { size: 16, bold: true, owner: "acme" }),
			text(340, 233, "its users, sessions and credentials", { size: 13, soft: true }),
			box(320, 266, 300, 60, "globex"),
			text(340, 292, "globex", { size: 16, bold: true, owner: "globex" }),
			text(340, 313, "its users, sessions and credentials", { size: 13, soft: true }),
			box(320, 346, 300, 60, "stop"),
			text(340, 372, "Nobody", { size: 16, bold: true, owner: "stop" }),
			text(340, 393, "404 TENANT_NOT_FOUND", { mono: true, size: 13 }),
			box(690, 24, 246, 302, "platform"),
			text(710, 54, "Management", { size: 18, bold: true }),
			...[
				"create, list, update, delete",
				"OAuth credentials",
				"domains",
				"impersonation, 15 minutes",
				"export and import",
			].flatMap((words, row) => [text(710, 86 + row * 26, words, { size: 13, soft: true })]),
			text(710, 236, "Each attempt goes to audit.", { size: 13 }),
			text(710, 258, "A management key needs", { size: 13 }),
			text(710, 278, "no user and no session.", { size: 13 }),
			arrow("M620 76H688"),
			arrow("M690 216H622", "acme"),
			arrow("M690 296H622", "globex"),
			text(690, 372, "Operators do not become users of", { size: 13, soft: true }),
			text(690, 393, "a tenant. They may impersonate one.", { size: 13, soft: true }),
		],
	);
};
