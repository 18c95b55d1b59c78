import { runWithTenant } from "better-auth-tenants";
import { canonical } from "./canonical.ts";
import { type Side, TENANT } from "./shop.ts";

/** One random query, which can be sent to either side. */
export type RandomQuery = {
	/** what it does, to count by */
	kind: string;
	isWrite: boolean;
	/** on the rows of all tenants, with the helper */
	limited: () => Promise<unknown>;
	/** on the copy, which has the rows of one tenant only */
	plain: () => Promise<unknown>;
	/** its text, for a report */
	show: () => string;
};

export type Verdict = { outcome: "same" | "refused" | "failed"; wrong?: string };

type Answer = { rows: string } | { refused: string } | { failed: string };

const answerOf = async (run: () => Promise<unknown>): Promise<Answer> => {
	try {
		return { rows: canonical(await run()) };
	} catch (error) {
		const { body, code, message } = error as { body?: { code?: string }; code?: string; message?: string };
		if (body?.code?.startsWith("ROW_")) return { refused: body.code };
		// a policy of PostgreSQL, also as Prisma reports it
		if (code === "42501" || /row-level security|42501/.test(String(message))) return { refused: "42501" };
		return { failed: String(message).slice(0, 200) };
	}
};

/** Runs a query on both sides. The rows that it returns and the rows that it leaves behind must be the same. */
export const compare = async (query: RandomQuery, full: Side, copy: Side): Promise<Verdict> => {
	const limited = await answerOf(() => runWithTenant(TENANT, async () => await query.limited()));
	const plain = "refused" in limited ? undefined : await answerOf(query.plain);
	const left = query.isWrite ? await differenceOfRows(full, copy, plain === undefined) : undefined;
	const wrong = left ?? (plain && differenceOf(limited, plain));
	return {
		outcome: "refused" in limited ? "refused" : "failed" in limited ? "failed" : "same",
		...(wrong && { wrong: `${wrong}: ${query.show()}` }),
	};
};

const differenceOf = (limited: Answer, plain: Answer): string | undefined => {
	if ("failed" in limited && "failed" in plain) return undefined;
	if ("rows" in limited && "rows" in plain && limited.rows === plain.rows) return undefined;
	return `${JSON.stringify(limited).slice(0, 300)} instead of ${JSON.stringify(plain).slice(0, 300)}`;
};

/** Looks at what a write left behind, and fills the tables again if that is anything. */
const differenceOfRows = async (full: Side, copy: Side, isRefused: boolean): Promise<string | undefined> => {
	const left = await full.dump();
	const right = isRefused ? copy.filled : await copy.dump();
	if (left.own !== full.filled.own || left.others !== full.filled.others) await full.restore();
	if (right.own !== copy.filled.own) await copy.restore();
	if (left.others !== full.filled.others) return "rows of another tenant changed";
	return left.own === right.own ? undefined : "the tenant's rows differ from the copy";
};
