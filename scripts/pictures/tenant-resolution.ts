import { brush, type Owner, type Theme } from "./parts.ts";

const SOURCES = [
	["resolveTenantId", "host or path"],
	["body", '{ "tenantId": … }'],
	["query", "?tenantId=…"],
	["header", "x-tenant-id: …"],
];

type Case = { hint: string; session: string; result: string; note: string; owner: Owner };
const CASES: Case[] = [
	{ hint: "acme", session: "none", result: "acme", note: "404 if there is no such tenant", owner: "acme" },
	{ hint: "none", session: "acme", result: "acme", note: "the session is enough", owner: "acme" },
	{ hint: "acme", session: "acme", result: "acme", note: "both agree", owner: "acme" },
	{ hint: "none", session: "none", result: "platform", note: "operators and earlier users", owner: "platform" },
	{ hint: "globex", session: "acme", result: "403", note: "SESSION_TENANT_MISMATCH", owner: "stop" },
];

/** From the sources of a hint to the tenant of the request. */
export const drawTenantResolution = (theme: Theme): string => {
	const { text, box, card, dot, arrow, picture } = brush(theme);
	const row = ({ hint, session, result, note, owner }: Case, index: number): string[] => {
		const y = 110 + index * 54;
		return [
			box(408, y - 22, 528, 44, owner, 8),
			text(428, y + 5, hint, { mono: true, soft: hint === "none" }),
			text(528, y + 5, session, { mono: true, soft: session === "none" }),
			text(628, y + 5, result, { bold: true, owner }),
			text(720, y + 5, note, { size: 13, soft: true }),
		];
	};
	return picture(
		400,
		"How the tenant of a request is decided",
		"The hint is the first value among resolveTenantId, body, query and header. A hint alone names the tenant, a session alone names the tenant, both must agree, and with neither the request belongs to the platform. A hint for another tenant than the session's gets 403.",
		[
			text(24, 52, "The hint: the first value wins", { size: 16, bold: true }),
			...SOURCES.flatMap(([name = "", example = ""], index) => {
				const y = 110 + index * 54;
				return [
					card(24, y - 22, 280, 44, "platform"),
					dot(48, y, String(index + 1)),
					text(72, y + 5, name, { bold: true }),
					text(name.length > 8 ? 208 : 138, y + 5, example, { size: 12, soft: true, mono: name.length <= 8 }),
				];
			}),
			arrow("M304 191H400"),
			text(352, 180, "a hint", { size: 13, soft: true, middle: true }),
			text(428, 52, "Hint", { bold: true }),
			text(528, 52, "Session", { bold: true }),
			text(628, 52, "The request belongs to", { bold: true }),
			...CASES.flatMap(row),
			text(408, 378, "GET /get-session returns null instead of 403. Sign-in and sign-up ignore an old session.", {
				size: 12,
				soft: true,
			}),
			text(24, 330, "A hint names a tenant.", { size: 13, soft: true }),
			text(24, 352, "It grants nothing.", { size: 13, soft: true }),
		],
	);
};
