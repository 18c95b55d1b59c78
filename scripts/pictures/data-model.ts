import { brush, type Owner, type Theme } from "./parts.ts";

type Lane = {
	owner: Owner;
	x: number;
	title: string;
	soft: string;
	user: string[];
	accounts: string[];
	session: string;
};

const LANES: Lane[] = [
	{
		owner: "acme",
		x: 24,
		title: "acme",
		soft: "a row in tenant",
		user: ["ada@example.com", "id u1"],
		accounts: ["password: first", "google: 4711"],
		session: "token ~acme",
	},
	{
		owner: "globex",
		x: 332,
		title: "globex",
		soft: "a row in tenant",
		user: ["ada@example.com", "id u2"],
		accounts: ["password: second", "google: 4711"],
		session: "token ~globex",
	},
	{
		owner: "platform",
		x: 640,
		title: "platform",
		soft: "no row in tenant",
		user: ["ops@example.com", "id u3"],
		accounts: ["password: third"],
		session: "token",
	},
];

/** The same email in two tenants, as rows. */
export const drawDataModel = (theme: Theme): string => {
	const { text, box, card, arrow, picture, lineColor } = brush(theme);
	const lane = ({ owner, x, title, soft, user, accounts, session }: Lane): string[] => [
		box(x, 24, 296, 312, owner),
		text(x + 20, 56, title, { size: 18, bold: true, owner }),
		text(x + 276 - soft.length * 6.8, 56, soft, { size: 13, soft: true }),
		card(x + 20, 76, 256, 66, owner),
		text(x + 36, 100, "user", { bold: true }),
		text(x + 100, 100, user[0] ?? "", { mono: true, size: 13 }),
		text(x + 100, 124, user[1] ?? "", { mono: true, size: 13, soft: true }),
		// both refer to the user
		arrow(`M${x + 48} 291H${x + 34}V144`, owner),
		`<path d="M${x + 48} 205H${x + 34}" stroke="${lineColor(owner)}" stroke-width="1.6"/>`,
		card(x + 48, 172, 228, 66, owner),
		text(x + 60, 196, "account", { bold: true }),
		...accounts.map((words, row) => text(x + 132, 196 + row * 24, words, { mono: true, size: 13 })),
		card(x + 48, 268, 228, 46, owner),
		text(x + 60, 296, "session", { bold: true }),
		text(x + 132, 296, session, { mono: true, size: 13 }),
	];
	return picture(
		452,
		"The same email in two tenants is two users",
		"Three lanes. The tenant acme has the user u1 with ada@example.com, the tenant globex has the user u2 with the same email and another password, and the platform has its own user. No row refers to a row of another lane.",
		[
			...LANES.flatMap(lane),
			text(24, 372, "Unique in one tenant", { bold: true, owner: "acme" }),
			text(24, 398, "email · provider and account id", { size: 13, soft: true }),
			text(24, 420, "username · phone · organization slug", { size: 13, soft: true }),
			text(332, 372, "Unique in the whole database", { bold: true }),
			text(332, 398, "ids · session tokens", { size: 13, soft: true }),
			text(332, 420, "tenant slugs · tenant domains", { size: 13, soft: true }),
			text(640, 372, "Never", { bold: true, owner: "stop" }),
			text(640, 398, "a row without tenantId", { size: 13, soft: true }),
			text(640, 420, "a reference to another tenant's row", { size: 13, soft: true }),
		],
	);
};
