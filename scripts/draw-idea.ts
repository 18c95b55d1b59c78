import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brush, type Theme } from "./pictures/parts.ts";

const FOLDER = join(import.meta.dirname, "../docs/pictures");

const TITLE = "One address, two tenants, two users";
const DESCRIPTION =
	"Ada signs in with the same email at acme.example.com and globex.example.com. The plugin pins each request to its tenant. Better Auth then reads and writes only that tenant's users, sessions, secrets and providers.";

type Tenant = { owner: "acme" | "globex"; password: string; user: string; provider: string; y: number };

const TENANTS: Tenant[] = [
	{ owner: "acme", password: "correct horse battery", user: "17", provider: "Google with Acme's credentials", y: 28 },
	{ owner: "globex", password: "a different password", user: "42", provider: "Okta, for globex.com only", y: 158 },
];

/** Draws the idea of the package for people who see it for the first time. */
export const drawIdea = (theme: Theme): string => {
	const { text, box, arrow, lineColor, picture } = brush(theme);
	const small = { size: 13, soft: true };
	const through = (y: number, { owner }: Tenant): string =>
		`<path d="M356 ${y}H572" stroke="${lineColor(owner)}" stroke-width="1.6" opacity=".45"/>`;
	/** One tenant's way, left to right: the page, the pinned request, what Better Auth can reach. */
	const lane = (tenant: Tenant): string[] => {
		const { owner, password, user, provider, y } = tenant;
		const middle = y + 48;
		return [
			box(24, y, 252, 96),
			text(44, y + 30, `${owner}.example.com`, { size: 15, bold: true, owner }),
			text(44, y + 57, "ada@example.com", { mono: true }),
			text(44, y + 80, password, small),
			arrow(`M276 ${middle}H354`, owner),
			through(middle, tenant),
			arrow(`M572 ${middle}H650`, owner),
			box(652, y, 284, 96, owner),
			text(668, y + 30, `user ${user}`, { size: 15, bold: true }),
			text(668, y + 53, "own password, sessions, second factors", small),
			text(668, y + 76, provider, small),
		];
	};
	return picture(282, TITLE, DESCRIPTION, [
		box(356, 40, 216, 202),
		...TENANTS.flatMap(lane),
		text(464, 108, "tenantAuth()", { size: 17, bold: true, middle: true }),
		text(464, 127, "one tenant for each request", { ...small, middle: true }),
		text(464, 164, "Better Auth", { size: 17, bold: true, middle: true }),
		text(464, 183, "every endpoint and plugin", { ...small, middle: true }),
		`<path d="M652 141H736M852 141H936" stroke="${lineColor("platform")}" stroke-dasharray="4 4"/>`,
		text(794, 145.5, "nothing crosses", { ...small, middle: true }),
	]);
};

export const ideaPicture = (theme: Theme): string => join(FOLDER, `idea-${theme}.svg`);

/** `pnpm docs:architecture` draws both pictures. */
if (import.meta.main)
	for (const theme of ["light", "dark"] as const) writeFileSync(ideaPicture(theme), drawIdea(theme));
