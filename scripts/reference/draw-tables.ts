import { MONO, PALETTES, SANS } from "../draw-architecture.ts";

export type DrawnTable = { name: string; isOwn: boolean; columns: string[] };

export const TABLES_ALT =
	"The table tenant in the middle. On the left, tenantOauthConfig and tenantDomain reference it. On the right, the tables user, account, session and verification of Better Auth name their tenant in tenantId.";

const WIDTH = 230;
const ROW = 20;
const HEAD = 40;
const GAP = 24;
const TOP = 24;
const COLUMNS = { left: 24, middle: 340, right: 656 };

type Placed = DrawnTable & { x: number; y: number; height: number };

const heightOf = ({ columns }: DrawnTable): number => HEAD + columns.length * ROW + 12;

/** Puts tables below each other. */
const stack = (tables: DrawnTable[], x: number): Placed[] => {
	let y = TOP;
	return tables.map((one) => {
		const placed = { ...one, x, y, height: heightOf(one) };
		y += placed.height + GAP;
		return placed;
	});
};

const box = ({ name, isOwn, columns, x, y, height }: Placed): string[] => [
	`<rect x="${x}" y="${y}" width="${WIDTH}" height="${height}" rx="10" class="${isOwn ? "own" : "box"}"/>`,
	`<text x="${x + 16}" y="${y + 27}" class="title">${name}</text>`,
	...columns.map(
		(column, row) =>
			`<text x="${x + 16}" y="${y + HEAD + 16 + row * ROW}" class="${column === "tenantId" ? "key" : "column"}">${column}</text>`,
	),
];

/**
 * A line from the tenant column of a table to the table of tenants. Dashed without a foreign key. It starts at the tenants, so
 * that the dashes of lines on top of each other are at the same places.
 */
const line = (from: Placed, to: Placed): string => {
	const isLeft = from.x < to.x;
	const start = isLeft ? from.x + WIDTH : from.x;
	const end = isLeft ? to.x - 2 : to.x + WIDTH + 2;
	const y = from.y + HEAD + 11 + from.columns.indexOf("tenantId") * ROW;
	const target = to.y + HEAD + 11;
	const middle = (start + end) / 2;
	return `<path d="M${end} ${target}H${middle}V${y}H${start}" class="line"${from.isOwn ? "" : ' stroke-dasharray="5 4"'} marker-start="url(#arrow)"/>`;
};

/** Draws the tables of the plugin and those of Better Auth that it extends. */
export const drawTables = (theme: keyof typeof PALETTES, tables: DrawnTable[]): string => {
	const colors = PALETTES[theme];
	const center = stack(
		tables.filter(({ name }) => name === "tenant"),
		COLUMNS.middle,
	);
	const left = stack(
		tables.filter(({ isOwn, name }) => isOwn && name !== "tenant"),
		COLUMNS.left,
	);
	const right = stack(
		tables.filter(({ isOwn }) => !isOwn),
		COLUMNS.right,
	);
	const all = [...left, ...center, ...right];
	const [tenant] = center;
	if (!tenant) throw new Error("The schema has no table tenant.");
	const height = Math.max(...all.map((one) => one.y + one.height)) + TOP;
	const width = COLUMNS.right + WIDTH + 24;
	const note = tenant.y + tenant.height + 36;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">Tables</title>
<desc id="description">${TABLES_ALT}</desc>
<style>
text{font-family:${SANS};fill:${colors.ink}}
.title{font-size:16px;font-weight:600}
.column,.key{font-family:${MONO};font-size:13px}
.column{fill:${colors.soft}}
.key{fill:${colors.accent}}
.note{font-size:13px;fill:${colors.soft}}
.box{fill:${colors.box};stroke:${colors.line}}
.own{fill:${colors.tenant};stroke:${colors.tenantLine}}
.line{fill:none;stroke:${colors.line};stroke-width:1.5}
</style>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="${colors.line}"/></marker></defs>
<rect width="${width}" height="${height}" rx="12" fill="${colors.page}"/>
${[...all.flatMap(box), ...[...left, ...right].map((one) => line(one, tenant))].join("\n")}
${["Blue: tables of the plugin.", "Gray: tables of Better Auth,", "with the columns that the plugin", "adds or changes. Dashed: without", "a foreign key, because the", "platform has no row."].map((words, row) => `<text x="${COLUMNS.middle + 4}" y="${note + row * 19}" class="note">${words}</text>`).join("\n")}
</svg>
`;
};
